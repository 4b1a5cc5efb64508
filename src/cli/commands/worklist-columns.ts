import { rollUpHoldsAndFees } from '../../domain/holds-and-fees.ts';
import { type LocalTime, localTime } from '../../domain/local-time.ts';
import type { Money, WorklistContainer, WorklistName, WorklistRow, WorklistRows } from '../../index.ts';
import { inSnakeCase } from '../../internal/spelled.ts';
import { entriesOf } from '../../worklist/entries.ts';
import { Cell } from '../output/cell.ts';
import { allOf, type Column } from '../output/columns.ts';
import { dayCell, timeCell } from '../output/times.ts';

/** The names of the lists on the command line. */
export const LISTS: Readonly<Record<string, WorklistName>> = {
  ready: 'ready',
  'last-free-day': 'lastFreeDay',
  demurrage: 'demurrage',
  held: 'held',
  late: 'late',
  silent: 'silent',
};
export const NAMES = Object.keys(LISTS);
export const nameOf = ({ list }: Pick<WorklistRow, 'list'>): string => NAMES.find(name => LISTS[name] === list) ?? list;

type Without<R> = R extends WorklistRow ? Omit<R, 'container'> : never;

/** A row for programs. It has the ids in place of the record. `containers get` prints the record. */
type Row = Ids & Without<WorklistRow>;

interface Ids {
  /** Id of the container. */
  id: string;
  shipmentId: string | null;
}

/** A container with its rows. */
export interface Entry {
  container: WorklistContainer;
  rows: readonly [Row, ...Row[]];
  /** The row that the container would have on each list if the list had no limit of days. */
  facts: readonly WorklistRow[];
}

/** The widest bounds of each list. */
const WIDEST = {
  ready: true,
  lastFreeDay: { within: Infinity },
  demurrage: true,
  held: true,
  late: { days: -Infinity },
  silent: { days: -Infinity },
} as const;

export function entryOf({ container, ...row }: WorklistRow, now: Date): Entry {
  const ids = { id: container.id, shipmentId: container.shipment?.id ?? null };
  const facts = entriesOf(container, WIDEST, now);
  return { container, rows: [{ ...ids, ...row }], facts };
}

/** The facts that a list has about a container, even if the container is not on this list. */
export function factsOf<Name extends WorklistName>({ facts }: Entry, list: Name): WorklistRows[Name] | undefined {
  return facts.find((row): row is WorklistRows[Name] & WorklistRow => row.list === list);
}

/** Days until the last free day, unless this deadline has ended. */
export function daysLeft({ rows: [{ deadline }] }: Entry): number | undefined {
  return deadline && !deadline.hasEnded ? deadline.daysLeft : undefined;
}

const NEAR_DAYS = 2;

function daysLeftCell(entry: Entry): Cell | undefined {
  const days = daysLeft(entry);
  if (days === undefined) return undefined;
  if (days < 0) return new Cell(`${-days} overdue`, days, 'red');
  return new Cell(days === 0 ? 'today' : String(days), days, days <= NEAR_DAYS ? 'yellow' : undefined);
}

/** The appointment, in red if it is after the last free day. */
function appointmentCell({ rows: [{ appointment, deadline }] }: Entry): Cell | undefined {
  const cell = timeCell(appointment);
  const isLate = appointment && deadline && !deadline.hasEnded && appointment.date > deadline.date;
  return cell && isLate ? new Cell(cell.text, cell.data, 'red') : cell;
}

function readyCell({ rows: [{ state }] }: Entry): Cell {
  const { pickup, reasons } = state;
  const text = reasons.length > 0 ? `${pickup}: ${reasons.join(', ').replaceAll('_', ' ')}` : pickup;
  return new Cell(text, pickup, pickup === 'yes' ? 'green' : undefined);
}

/**
 * The arrival that the list `late` compares with its first estimate. Without a first estimate, the arrival inland, else at
 * the port.
 */
function etaCell(entry: Entry): Cell | undefined {
  const late = factsOf(entry, 'late');
  if (late) return arrivalCell(late.arrival, late.delay.isActual);
  const { pod_arrived_at, shipment } = entry.container;
  const atPort = pod_arrived_at || shipment?.pod_ata_at;
  const time = localTime(atPort || shipment?.pod_eta_at, shipment?.pod_timezone);
  return inlandEtaCell(entry) ?? arrivalCell(time, Boolean(atPort));
}

/** The arrival inland as the railway reports it. */
function inlandEtaCell({ container }: Entry): Cell | undefined {
  const { ind_ata_at, ind_eta_at, final_destination_timezone } = container;
  return arrivalCell(localTime(ind_ata_at || ind_eta_at, final_destination_timezone), Boolean(ind_ata_at));
}

function arrivalCell(time: LocalTime | undefined, hasArrived: boolean): Cell | undefined {
  const day = dayCell(time);
  return day && hasArrived ? new Cell(`${day.text} arrived`, day.data) : day;
}

/** The place of the ETA. */
function arrivesAtOf(entry: Entry): string | null | undefined {
  const [row] = entry.rows;
  const late = factsOf(entry, 'late');
  const isInland = late ? late.at === 'destination' : inlandEtaCell(entry) !== undefined;
  return isInland ? row.destination : row.port;
}

/** The demurrage of all containers, one sum for each currency. */
export function demurrageOf(entries: readonly Entry[]): string {
  const cents = new Map<string | null, number>();
  for (const { amount, currency } of entries.flatMap(entry => factsOf(entry, 'demurrage')?.demurrage ?? [])) {
    cents.set(currency, (cents.get(currency) ?? 0) + Math.round(amount * 100));
  }
  return moneyCell(Array.from(cents, ([currency, sum]) => ({ currency, amount: sum / 100 })))?.text ?? '';
}

/** For programs, the amounts are numbers, and another column has the currencies. */
function moneyCell(sums: readonly Money[] = []): Cell | undefined {
  if (sums.length === 0) return undefined;
  const amounts = sums.map(({ amount }) => amount);
  const texts = sums.map(({ amount, currency }) => [amount, currency].filter(part => part !== null).join(' '));
  return new Cell(texts.join(', '), amounts.length === 1 ? amounts[0] : amounts);
}

/** All charges of the terminal. */
const dueOf = ({ container }: Entry) => rollUpHoldsAndFees([container]).totals.filter(({ amount }) => amount !== 0);
const currenciesOf = (sums: readonly Money[] = []) => sums.flatMap(({ currency }) => currency ?? []);
const unique = (texts: readonly string[]) => [...new Set(texts)].join(' ');

const number: Column<Entry> = ['NUMBER', ({ rows: [row] }) => row.number, 'whole'];
const lists: Column<Entry> = ['LISTS', ({ rows }) => rows.map(nameOf), 'whole'];
const left: Column<Entry> = ['DAYS LEFT', daysLeftCell, 'whole'];
const lastFreeDay: Column<Entry> = ['LAST FREE DAY', ({ rows: [row] }) => row.deadline?.date, 'whole'];
const ready: Column<Entry> = ['READY', readyCell, 'key'];
const holds: Column<Entry> = ['HOLDS', ({ rows: [row] }) => row.state.holds.map(({ name }) => name), 'key'];
const holdTexts: Column<Entry> = [
  'HOLD TEXTS',
  ({ rows: [row] }) => row.state.holds.map(hold => hold.description ?? hold.name),
];
const fees: Column<Entry> = ['FEES', entry => moneyCell(dueOf(entry)), 'whole'];
const overdue: Column<Entry> = ['DAYS OVERDUE', entry => factsOf(entry, 'demurrage')?.days, 'whole'];
const demurrage: Column<Entry> = ['DEMURRAGE', entry => moneyCell(factsOf(entry, 'demurrage')?.demurrage), 'whole'];
const daysLate: Column<Entry> = ['DAYS LATE', entry => factsOf(entry, 'late')?.delay.days, 'whole'];
const eta: Column<Entry> = ['ETA', etaCell, 'whole'];
const inlandEta: Column<Entry> = ['INLAND ETA', inlandEtaCell, 'whole'];
const firstEta: Column<Entry> = ['FIRST ETA', entry => dayCell(factsOf(entry, 'late')?.since), 'whole'];
const where: Column<Entry> = ['WHERE', ({ rows: [row] }) => row.state.stage.replaceAll('_', ' '), 'whole'];
const arrivesAt: Column<Entry> = ['ARRIVES AT', arrivesAtOf];
const silent: Column<Entry> = ['DAYS SILENT', entry => factsOf(entry, 'silent')?.days, 'whole'];
const silentSince: Column<Entry> = ['SILENT SINCE', entry => dayCell(factsOf(entry, 'silent')?.since), 'whole'];
const terminal: Column<Entry> = ['TERMINAL', ({ rows: [row] }) => row.terminal];
const appointment: Column<Entry> = ['APPOINTMENT', appointmentCell, 'whole'];
const shipment: Column<Entry> = ['SHIPMENT', ({ rows: [row] }) => row.shipmentNumber, 'whole'];
const carrier: Column<Entry> = ['CARRIER', ({ rows: [row] }) => row.shippingLine];
const customer: Column<Entry> = ['CUSTOMER', ({ rows: [row] }) => row.customer];
const next: Column<Entry> = ['NEXT', ({ rows }) => unique(rows.map(row => row.next)), 'line'];
const reason: Column<Entry> = ['REASON', ({ rows }) => unique(rows.map(row => row.reason)), 'whole'];

/** The columns for one list. The most important columns for this list come first. */
export const LIST_COLUMNS: Readonly<Record<WorklistName, readonly Column<Entry>[]>> = {
  ready: [number, terminal, lastFreeDay, left, appointment, fees, shipment, customer, next],
  lastFreeDay: [number, left, lastFreeDay, ready, terminal, appointment, fees, shipment, customer, next],
  demurrage: [number, overdue, demurrage, lastFreeDay, fees, ready, terminal, appointment, shipment, customer, next],
  held: [number, holds, left, lastFreeDay, terminal, holdTexts, fees, shipment, customer, next],
  late: [number, daysLate, eta, firstEta, where, arrivesAt, inlandEta, shipment, customer],
  silent: [number, silent, silentSince, where, carrier, shipment, customer],
};

/** The columns for several lists. */
export const SEVERAL: readonly Column<Entry>[] = [
  ...[number, left, lists, holds, fees, lastFreeDay, eta, terminal, appointment, daysLate, shipment, customer, next],
];

/**
 * The number of first columns that answer the question of a list. The texts of these columns are shortened before one
 * of the columns is left out.
 */
export const NEEDED = 5;

/**
 * The columns of CSV, with the facts and the names of the JSON fields. A container has one row for each of its lists.
 */
export const CSV: readonly Column<Entry>[] = [
  ['LIST', ({ rows: [row] }) => inSnakeCase(nameOf(row))],
  ['ID', ({ rows: [row] }) => row.id],
  number,
  ['SHIPMENT ID', ({ rows: [row] }) => row.shipmentId],
  ['SHIPMENT NUMBER', shipment[1]],
  ['SHIPPING LINE', carrier[1]],
  customer,
  ['PORT', ({ rows: [row] }) => row.port],
  ['DESTINATION', ({ rows: [row] }) => row.destination],
  terminal,
  ['STAGE', ({ rows: [row] }) => row.state.stage],
  ['PICKUP', ({ rows: [row] }) => row.state.pickup],
  ['REASONS', ({ rows: [row] }) => row.state.reasons],
  holds,
  holdTexts,
  lastFreeDay,
  left,
  appointment,
  fees,
  ['FEES CURRENCY', entry => currenciesOf(dueOf(entry))],
  overdue,
  demurrage,
  ['DEMURRAGE CURRENCY', entry => currenciesOf(factsOf(entry, 'demurrage')?.demurrage)],
  daysLate,
  eta,
  firstEta,
  arrivesAt,
  inlandEta,
  silent,
  silentSince,
  next,
  reason,
];

/** For `--columns`. */
export const ALL: readonly Column<Entry>[] = allOf([...SEVERAL, ready, where, carrier], CSV);
