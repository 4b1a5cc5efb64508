import { beforeEach, describe, expect, test, vi } from 'vitest';
import { OUTPUT, say } from '../../src/cli/output/print.ts';
import { reportTo } from '../../src/cli/sync/report.ts';
import { ConnectionError } from '../../src/index.ts';
import type { Sync, SyncEvent } from '../../src/sync/index.ts';

/** The lines of a terminal after `\r` and the escape sequence that erases a line. */
function linesIn(written: string): string[] {
  return written.split('\n').map(line => line.split('\r\u001B[K').at(-1) ?? '');
}

function shown({ isTTY = true, goesOn = 'reads changes every 5 min', TERM = 'xterm', ends = false } = {}) {
  const listeners = new Map<string, (event: SyncEvent) => unknown>();
  let written = '';
  let readAt: number | undefined;
  const on = ((type: string, listener: (event: SyncEvent) => unknown) => {
    listeners.set(type, listener);
    return () => {};
  }) as Sync['on'];
  const out = {
    isTTY,
    columns: 80,
    write(text: string | Uint8Array) {
      written += String(text);
      return true;
    },
  };
  const end = reportTo({ on, readAt: async () => readAt }, out, ends ? undefined : goesOn, { TERM });
  const emit = async (event: SyncEvent, at = readAt) => {
    readAt = at;
    listeners.get(event.type)?.(event);
    await vi.advanceTimersByTimeAsync(0);
    return linesIn(written);
  };
  const at = (time: number) => {
    readAt = time;
  };
  return { emit, at, end, lines: () => linesIn(written) };
}

const pass = { phase: 'backfill', resumed: false, records: 9, requests: 3 } as const;
const started: SyncEvent = { type: 'started', ...pass, estimatedMs: 0 };
const progress: SyncEvent = { type: 'progress', ...pass, list: 'ports', total: 18, written: 9, remainingMs: 0 };
const finished: SyncEvent = { type: 'finished', ...pass, written: 9, deleted: 0, durationMs: 1 };
const refreshed: SyncEvent = { type: 'refreshed', records: 7, written: 2, requests: 4, durationMs: 1 };
const error: SyncEvent = { type: 'error', phase: 'follow', error: new ConnectionError('Refused.'), retryInMs: 30_000 };
const noon = new Date(2026, 10, 28, 12, 0).getTime();

describe('sync on a terminal', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: noon });
    return () => vi.useRealTimers();
  });

  test('says immediately how old a filled database is, and that the command goes on', async () => {
    const { emit } = shown();
    expect(await emit({ type: 'reader', active: true }, noon - 120_000)).toEqual([
      'In step as of 11:58; reads changes every 5 min; Ctrl+C ends.',
    ]);
  });

  test('writes the time of the data again in the same line after each pass', async () => {
    const { emit } = shown();
    await emit({ type: 'reader', active: true });
    await emit(started);
    expect((await emit(progress)).at(-1)).toMatch(/^\[#+-+\] 50 %/);
    expect((await emit(finished, noon)).at(-1)).toBe('In step as of 12:00; reads changes every 5 min; Ctrl+C ends.');
    const lines = await emit(refreshed, noon + 300_000);
    expect(lines.slice(-2)).toEqual([
      '2 rows have changed: 7 records read, 4 requests.',
      'In step as of 12:05; reads changes every 5 min; Ctrl+C ends.',
    ]);
    expect(lines.filter(line => line.startsWith('In step'))).toHaveLength(1);
  });

  test('erases its line before a note, and writes the line again after it', async () => {
    const said = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const output = { isJson: false };
    const { emit, lines, end } = OUTPUT.run(output, () => shown());
    await emit(started);
    await emit(progress);
    OUTPUT.run(output, () => say('The rate limit is reached: the next attempt is in 13 s.'));
    expect(lines().at(-1)).toBe('');
    expect(said.mock.calls.flat()).toEqual(['The rate limit is reached: the next attempt is in 13 s.\n']);
    expect((await emit(progress)).at(-1)).toMatch(/^\[#+-+\] 50 %/);
    end();
    said.mockRestore();
  });

  test('names options of the command line in a message about the history', async () => {
    const message =
      'The store has a history. Set history to the same value in every process, or to false if this is intended.';
    const lines = await shown().emit({ type: 'history', message });
    expect(lines).toContain('The store has a history. Use --history or --history-fields in every process.');
  });

  test('says since when the service does not respond, and when it responds again', async () => {
    const { emit } = shown();
    await emit(finished, noon);
    await emit(error);
    vi.setSystemTime(noon + 60_000);
    const failing = await emit(error);
    expect(failing.slice(-2)).toEqual(['Refused.', 'No response since 12:00; tried again in 30 s; Ctrl+C ends.']);
    expect(failing.filter(line => line === 'Refused.')).toHaveLength(1);
    const lines = await emit({ type: 'continued', phase: 'follow', afterMs: 60_000 }, noon + 60_000);
    expect(lines.slice(-2)).toEqual([
      'The work succeeds again after 60 s.',
      'In step as of 12:01; reads changes every 5 min; Ctrl+C ends.',
    ]);
  });

  test('renews the time of the data although there is no event', async () => {
    const { emit, at, lines, end } = shown({ goesOn: 'gets notifications' });
    await emit(finished, noon);
    at(noon + 900_000);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(lines().at(-1)).toBe('In step as of 12:15; gets notifications; Ctrl+C ends.');
    end();
    expect(lines().at(-1)).toBe('');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('does not name a time while another process reads', async () => {
    const { emit } = shown();
    const lines = await emit({ type: 'reader', active: false }, noon);
    expect(lines).toEqual(['Another process reads. This process waits to take over.', '']);
  });

  test('writes nothing after its end, even if the time of the data arrives later', async () => {
    const { emit, end, lines } = shown();
    const last = emit(finished, noon);
    end();
    await last;
    expect(lines().join('\n')).not.toContain('In step');
  });

  test('names the day of data that is not from today', async () => {
    const { emit } = shown();
    expect(await emit(finished, noon - 86_400_000)).toContainEqual(expect.stringContaining('as of 2026-11-27 12:00;'));
  });

  test('does not say that it goes on with --once', async () => {
    const { emit } = shown({ ends: true });
    expect((await emit(finished, noon)).at(-1)).toBe('');
  });

  test('prints no line of this kind in a pipe, and prints whole lines without escape sequences there', async () => {
    const piped = shown({ isTTY: false });
    expect((await piped.emit(refreshed, noon)).join('\n')).not.toContain('In step');
    const dumb = shown({ TERM: 'dumb' });
    await dumb.emit(refreshed, noon);
    expect((await dumb.emit(refreshed, noon + 300_000)).filter(line => line.startsWith('In step'))).toHaveLength(2);
  });
});
