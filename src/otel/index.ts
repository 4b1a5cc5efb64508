export type { Observed } from './gauges.ts';
export type { ObservedSync } from './sync.ts';
export { createTelemetry, type Telemetry, type TelemetryOptions } from './telemetry.ts';
