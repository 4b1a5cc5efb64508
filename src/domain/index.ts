export { attribute } from './attribute.ts';
export { type ContainerNumber, parseContainerNumber } from './container-number.ts';
export { type Coordinates, coordinates } from './coordinates.ts';
export { type LastFreeDay, lastFreeDay } from './last-free-day.ts';
export { type LocalTime, localTime } from './local-time.ts';
export { type Milestone, type MilestoneName, milestones } from './milestones.ts';
export { isReadyForPickup } from './ready-for-pickup.ts';
