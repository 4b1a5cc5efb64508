import { ConfigurationError } from '../errors.ts';
import { describeValue } from '../internal/arguments.ts';
import { unknownName } from '../internal/near-name.ts';
import { isDate, isDateTime } from '../schemas/date-time.ts';

/** A value as it is sent, with its position on a `scale`. Only values on the same `scale` can be compared. */
export interface Point {
  readonly text: string;
  readonly scale: 'calendar' | 'relative' | 'clock';
  readonly at: number;
}

const DAY_MS = 86_400_000;
const RELATIVE = /^(\d+)\.days?\.(ago|from_now)$/;
const WITH_OFFSET = /T.*(?:Z|[+-]\d\d:\d\d)$/;

/** @throws {ConfigurationError} unless the value is a calendar day, `today`, or a number of days before or after today. */
export function day(path: string, value: unknown): Point {
  if (typeof value === 'string') {
    if (isDate(value)) return { text: value, scale: 'calendar', at: Date.parse(value) / DAY_MS };
    if (value === 'today') return { text: value, scale: 'relative', at: 0 };
    const [, count, direction] = RELATIVE.exec(value) ?? [];
    if (count !== undefined) {
      return { text: value, scale: 'relative', at: direction === 'ago' ? -Number(count) : Number(count) };
    }
  }
  const hint =
    value instanceof Date ? ' The service compares days: pass date.toISOString().slice(0, 10), or a local day.' : '';
  throw new ConfigurationError(
    `${path} is ${describeValue(value)}; it must be a day such as '2026-10-01', 'today', '3.days.ago' or '7.days.from_now'.${hint}`,
  );
}

/** @throws {ConfigurationError} unless the value is a valid `Date`, or an ISO 8601 text with a time and an offset. */
export function moment(path: string, value: unknown): Point {
  const isClock = value instanceof Date;
  const text = isClock && !Number.isNaN(value.getTime()) ? value.toISOString() : value;
  if (typeof text === 'string' && isDateTime(text) && WITH_OFFSET.test(text)) {
    return { text, scale: 'clock', at: Date.parse(text) };
  }
  throw new ConfigurationError(
    `${path} is ${describeValue(value)}; it must be a Date, or a time with Z or an offset such as '2026-10-01T08:00:00Z'.`,
  );
}

/** A moment, or a day. A day begins at midnight in UTC. */
export function momentOrDay(path: string, value: unknown): Point {
  if (typeof value === 'string' && isDate(value)) return { text: value, scale: 'clock', at: Date.parse(value) };
  return moment(path, value);
}

const BOUNDS = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;
type Bound = keyof typeof BOUNDS;

/**
 * The bounds of a range in the form that is sent, lower before upper.
 *
 * @throws {ConfigurationError} if there is no bound, if two bounds are on the same side, or if no value can be between the
 * bounds.
 */
export function range(path: string, given: object, read: (path: string, value: unknown) => Point): string[] {
  const bounds = Object.entries(given).filter(([, value]) => value !== undefined);
  const unknown = bounds.find(([name]) => !(name in BOUNDS));
  if (unknown) {
    throw unknownName(path, unknown[0], ['gt', 'gte', 'lt', 'lte', 'or exists alone']);
  }
  const points = new Map(bounds.map(([name, value]) => [name as Bound, read(`${path}.${name}`, value)]));
  for (const [one, other] of [
    ['gt', 'gte'],
    ['lt', 'lte'],
  ] as const) {
    if (points.has(one) && points.has(other)) {
      throw new ConfigurationError(`${path} has both ${one} and ${other}; leave one out.`);
    }
  }
  if (points.size === 0) throw new ConfigurationError(`${path} has no bound; leave it out to get all.`);
  refuseEmpty(path, points);
  return (['gt', 'gte', 'lt', 'lte'] as const).flatMap(name => {
    const point = points.get(name);
    return point ? [BOUNDS[name] + point.text] : [];
  });
}

function refuseEmpty(path: string, points: ReadonlyMap<Bound, Point>): void {
  const lower = points.get('gt') ?? points.get('gte');
  const upper = points.get('lt') ?? points.get('lte');
  if (lower === undefined || upper === undefined || lower.scale !== upper.scale) return;
  // Between two consecutive days, there is no other day. Between two moments, there is always another moment.
  const step = lower.scale === 'clock' ? 0 : 1;
  const first = lower.at + (points.has('gt') ? step : 0);
  const last = upper.at - (points.has('lt') ? step : 0);
  const isOpen = points.has('gt') || points.has('lt');
  if (first < last || (first === last && (step > 0 || !isOpen))) return;
  throw new ConfigurationError(`${path} has nothing between ${lower.text} and ${upper.text}.`);
}
