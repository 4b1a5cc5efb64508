export type { Observed } from './gauges.ts';
export { createTelemetry, type Telemetry, type TelemetryOptions } from './telemetry.ts';
