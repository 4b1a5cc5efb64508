import { ConfigurationError } from '../errors.ts';

type Filter = Readonly<Record<string, unknown>>;

const NO_TAGS = 'tags_and has no effect without tags';

/** Combinations for which the service sends an empty list, or ignores one of the filters, each with the reason. */
const CONTRADICTIONS: Readonly<Record<string, readonly [holds: (filter: Filter) => boolean, why: string][]>> = {
  'shipments.list': [
    [({ tags, tag }) => tags !== undefined && tag !== undefined, 'tag replaces tags: leave one out'],
    [({ tags, tag, tags_and }) => tags_and !== undefined && (tags ?? tag) === undefined, NO_TAGS],
    [
      filter => isFlag(filter.actively_tracked) && filter.actively_tracked === filter.tracking_stopped,
      'actively_tracked and tracking_stopped are opposites of each other: leave one out',
    ],
    [
      filter => filter.voyage_status === 'arrived' && exists(filter.pod_ata_at) === false,
      'voyage_status arrived means that pod_ata_at exists',
    ],
    [
      filter => filter.voyage_status === 'on_ship' && exists(filter.pod_ata_at) === true,
      'voyage_status on_ship means that pod_ata_at does not exist',
    ],
    [
      filter =>
        filter.pod_eta_changed_at !== undefined &&
        (filter.tracking_stopped === true || filter.actively_tracked === false || filter.voyage_status === 'arrived'),
      'pod_eta_changed_at finds only shipments that are tracked and have not arrived',
    ],
  ],
  'containers.list': [[({ tags, tags_and }) => tags_and !== undefined && tags === undefined, NO_TAGS]],
};

/** @throws {ConfigurationError} if the filters contradict each other. */
export function refuseContradictions(operation: string, filter: Filter): void {
  const found = CONTRADICTIONS[operation.replace('summary', 'list')]?.find(([holds]) => holds(filter));
  if (found) throw new ConfigurationError(`${operation}: filter cannot work: ${found[1]}.`);
}

function isFlag(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function exists(value: unknown): unknown {
  return Object(value).exists;
}
