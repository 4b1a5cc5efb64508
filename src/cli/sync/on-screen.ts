import { ConnectionError } from '../../errors.ts';
import { printable } from '../../printable.ts';
import type { SyncEvent } from '../../sync/events.ts';
import type { Sync } from '../../sync/index.ts';
import { OUTPUT } from '../output/print.ts';
import { count, duration, messageOf, sentenceOf } from './sentences.ts';

export type Screen = Pick<NodeJS.WriteStream, 'write'> & { columns?: number };

interface ScreenOptions {
  /** The way in which a sync that does not end finds changes. Without it, the sync ends after its task. */
  goesOn: string | undefined;
  /** False for a terminal without escape sequences (`TERM=dumb`). Such a terminal has no progress bar. */
  hasEscapes: boolean;
}

/** Interval in ms at which the line with the time of the data is renewed. With a webhook, there is no event at a new time. */
const RENEWAL_MS = 60_000;

/**
 * Shows events on a terminal: sentences, and below them one line that is written again in place. This line is a
 * progress bar, or the time of the data, or the time at which the work began to fail.
 */
export function onScreen(
  sync: Pick<Sync, 'readAt'>,
  out: Screen,
  { goesOn, hasEscapes }: ScreenOptions,
): { report: (event: SyncEvent) => void; end: () => void } {
  const erase = hasEscapes ? '\r\u001B[K' : '';
  let lastLine = '';
  let isReading = false;
  let hasEnded = false;
  let failure: { since: number; message: string } | undefined;
  const print = (text: string) => {
    out.write(`${erase}${printable(text)}\n`);
    if (hasEscapes) lastLine = '';
  };
  const write = (text: string) => {
    if (text === lastLine) return;
    lastLine = text;
    const room = (out.columns ?? 80) - 1;
    out.write(hasEscapes ? `${erase}${text.slice(0, room)}` : `${text}\n`);
  };
  const showState = async () => {
    if (goesOn === undefined) return;
    // Sync itself reports an error if the database cannot be read.
    const readAt = await sync.readAt().catch(() => undefined);
    if (readAt === undefined || isReading || failure || hasEnded) return;
    write(`In step as of ${clock(readAt)}; ${goesOn}; Ctrl+C ends.`);
  };
  const showFailure = ({ error, retryInMs }: Extract<SyncEvent, { type: 'error' }>) => {
    const message = messageOf(error);
    if (failure?.message !== message) print(message);
    failure = { since: failure?.since ?? Date.now(), message };
    const problem = error instanceof ConnectionError ? 'No response' : 'Fails';
    write(`${problem} since ${clock(failure.since)}; tried again in ${duration(retryInMs)}; Ctrl+C ends.`);
  };
  const output = OUTPUT.getStore();
  if (output)
    output.eraseLine = () => {
      if (hasEscapes && lastLine) out.write(erase);
      lastLine = '';
    };
  const renewal = goesOn === undefined ? undefined : setInterval(() => void showState(), RENEWAL_MS).unref();
  const report = (event: SyncEvent) => {
    if (event.type === 'error') return showFailure(event);
    if (event.type === 'progress') return hasEscapes ? write(bar(event, out.columns ?? 80)) : undefined;
    if (event.type === 'started') isReading = true;
    if (event.type === 'finished') isReading = false;
    // A process that waits to take over does not know how far the reader is.
    if (event.type === 'reader') isReading = !event.active;
    if (event.type === 'continued') failure = undefined;
    const sentence = sentenceOf(event);
    if (sentence !== undefined) print(sentence);
    void showState();
  };
  const end = () => {
    clearInterval(renewal);
    if (hasEscapes && lastLine) out.write('\n');
    lastLine = '';
    hasEnded = true;
  };
  return { report, end };
}

function bar({ records, total, remainingMs, list }: Extract<SyncEvent, { type: 'progress' }>, columns: number): string {
  const part = total === 0 ? 1 : records / total;
  const words = ` ${Math.floor(part * 100)} % · ${count(records)} of ${count(total)} · ${list} · ${duration(remainingMs)} left`;
  const width = Math.max(10, Math.min(40, columns - words.length - 3));
  const full = Math.round(part * width);
  return `[${'#'.repeat(full)}${'-'.repeat(width - full)}]${words}`;
}

/** `14:05` on the clock of this machine; with the date if it is not today. */
function clock(at: number, now = new Date()): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const time = new Date(at);
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())} `;
  const isToday = time.toDateString() === now.toDateString();
  return `${isToday ? '' : day}${two(time.getHours())}:${two(time.getMinutes())}`;
}
