export {
  type Alert,
  type AnnouncedVessel,
  type BecameAvailable,
  type BecameUnavailable,
  type EstimateMoved,
  type FeeAdded,
  type FeeChanged,
  type HoldAdded,
  type HoldCleared,
  type LastFreeDayMoved,
  onlyNew,
  type Rolled,
  type SeenKeys,
  type TransshipmentMissed,
} from './alerts.ts';
export { attribute } from './attribute.ts';
export { type ComparedRecord, changesBetween } from './changes-between.ts';
export { type ChangedItem, type ChangeNotification, changesOf } from './changes-of.ts';
export { type ContainerNumber, parseContainerNumber } from './container-number.ts';
export {
  type ContainerStage,
  type ContainerState,
  containerState,
  isReadyForPickup,
  type PickupReason,
} from './container-state.ts';
export { type Coordinates, coordinates, unwrapDateLine } from './coordinates.ts';
export {
  type Correlation,
  type CorrelationKey,
  type CorrelationOptions,
  type CorrelationRecord,
  correlate,
  correlationKeys,
} from './correlate.ts';
export {
  type DcsaEquipmentEvent,
  type DcsaEvent,
  type DcsaMode,
  type DcsaTransportEvent,
  toDcsa,
} from './dcsa.ts';
export { type Delay, type Delays, delays } from './delays.ts';
// The function `findShippingLine` is not exported here: with an export, every client would load it. It is in the chunk
// of `shippingLines.find`.
export type { ShippingLineMatch } from './find-shipping-line.ts';
export {
  type DemurrageDays,
  type DetentionDays,
  demurrageDays,
  detentionDays,
  type FreeTimeState,
} from './free-time.ts';
export {
  type ContainerHoldsAndFees,
  type FeeSum,
  type HeldContainer,
  type HoldsAndFees,
  type Money,
  rollUpHoldsAndFees,
  type SharedHold,
} from './holds-and-fees.ts';
export {
  type ContainerDeadline,
  type DeadlineSource,
  type LastFreeDay,
  type LastFreeDays,
  type LineDeadline,
  lastFreeDay,
  lastFreeDays,
  type RailwayDeadline,
  type TerminalDeadline,
  type UnnamedDeadline,
} from './last-free-days.ts';
export { type LocalTime, localTime } from './local-time.ts';
export {
  type LabelledMilestone,
  labelledMilestones,
  MILESTONE_LABELS,
  type MilestoneLabelName,
  type MilestoneLabels,
} from './milestone-labels.ts';
export { type Milestone, type MilestoneName, milestones } from './milestones.ts';
export {
  type ObservedStatus,
  type StatusEvent,
  type StatusJump,
  type StatusPeriod,
  type StatusTypes,
  statusHistory,
} from './status-history.ts';
