import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { demurrageDays, lastFreeDay, lastFreeDays } from '../../src/domain/index.ts';
import type { Container } from '../../src/model/index.ts';
import { SCENARIO_NAMES } from '../../src/sandbox/world/scripts.ts';
import { attributes, call, stillSandbox } from '../../support/sandbox.ts';
import { sqlitePlace } from '../../support/sync-stores.ts';

const now = (instant: string) => ({ now: new Date(instant) });
const ZONES = { pod_timezone: 'America/New_York', final_destination_timezone: null };
const INLAND = { pod_timezone: 'America/New_York', final_destination_timezone: 'America/Chicago' };
const NONE = { pickup_lfd_line: null, pickup_lfd_terminal: null, pickup_lfd_rail: null };
const newYork = (day: number) => `2026-05-${day}T04:00:00Z`;
const chicago = (day: number) => `2026-05-${day}T05:00:00Z`;

describe('a container whose last free day of the line is two days after the day of the terminal', () => {
  const container = {
    ...ZONES,
    pickup_lfd: newYork(14),
    import_deadlines: { ...NONE, pickup_lfd_line: newYork(14), pickup_lfd_terminal: newYork(12) },
    pod_discharged_at: '2026-05-08T00:00:00Z',
  };
  const deadline = { original: null, current: newYork(13), calculated: null, manual: false };

  test('costs demurrage from the day after the last free day of the terminal', () => {
    const at = now('2026-05-13T12:00:00Z');
    expect(lastFreeDay(container, at)).toMatchObject({ date: '2026-05-12', daysLeft: -1 });
    expect(demurrageDays(container, at)).toMatchObject({ state: 'running', days: 1 });
  });

  test('has the demurrage of a single source if the option `by` names it', () => {
    const at = now('2026-05-13T12:00:00Z');
    expect(demurrageDays(container, { ...at, by: 'line' })).toMatchObject({ state: 'free', lastFreeDay: '2026-05-14' });
    expect(demurrageDays(container, { ...at, by: 'terminal' })).toMatchObject({ state: 'running', days: 1 });
    expect(demurrageDays(container, { ...at, by: 'railway' })).toBeNull();
    for (const by of ['earliest', 'constructor'])
      expect(() => demurrageDays(container, { by: by as 'line' })).toThrow(
        'use one of: line, terminal, railway, unknown',
      );
  });

  test.each([
    [container, '2026-05-12', 'terminal'],
    [
      { ...container, import_deadlines: { ...NONE, pod: { line: null, facility: deadline } } },
      '2026-05-13',
      'terminal',
    ],
    [{ ...container, import_deadlines: NONE }, '2026-05-14', 'unknown'],
    [
      { ...container, ...INLAND, ind_facility_lfd_on: chicago(13), pod_full_out_at: newYork(9) },
      '2026-05-13',
      'railway',
    ],
  ])('has the demurrage of the source in a result of lastFreeDay() (%#)', (facts, date, source) => {
    const at = now('2026-05-15T12:00:00Z');
    const day = lastFreeDay(facts, at);
    expect(day).toMatchObject({ date, by: source });
    for (const by of [day?.by, day?.source])
      expect(demurrageDays(facts, { ...at, by })).toEqual(demurrageDays(facts, at));
  });

  test('has no demurrage of an unknown source if the earliest source is known, and no demurrage of a field without a day', () => {
    expect(demurrageDays(container, { by: 'pod.line' })).toBeNull();
    expect(demurrageDays(container, { by: 'unknown' })).toBeNull();
    expect(demurrageDays(container, { by: 'pickup_lfd' })).toBeNull();
  });

  test('has each last free day with its source, place and time zone', () => {
    const { line, terminal, railway, earliest } = lastFreeDays(container, now('2026-05-11T12:00:00Z'));
    expect(line).toMatchObject({ source: 'line', place: 'port', date: '2026-05-14', timezone: 'America/New_York' });
    expect(terminal).toMatchObject({ source: 'terminal', place: 'port', date: '2026-05-12', daysLeft: 1 });
    expect(railway).toBeNull();
    expect(earliest).toEqual(terminal);
  });
});

describe('the last free days in `import_deadlines.pod`', () => {
  const reported = { original: newYork(10), current: newYork(12), calculated: '2026-05-11', manual: false };
  const computed = { original: null, current: null, calculated: '2026-05-13', manual: false };
  const of = (pod: object, flat = {}) => ({
    ...ZONES,
    import_deadlines: { ...NONE, ...flat, pod },
    pod_discharged_at: '2026-05-08T00:00:00Z',
  });
  const at = now('2026-05-11T12:00:00Z');

  test('are the last reported days', () => {
    const { line, terminal } = lastFreeDays(of({ line: reported, facility: reported }), at);
    expect(line).toMatchObject({ date: '2026-05-12', field: 'pod.line', place: 'port', isCalculated: false });
    expect(terminal).toMatchObject({ date: '2026-05-12', field: 'pod.facility', daysLeft: 1, isCalculated: false });
  });

  test('are the calculated days if none was reported, and are marked as calculated', () => {
    const { line, terminal, earliest } = lastFreeDays(of({ line: reported, facility: computed }), at);
    expect(terminal).toMatchObject({ date: '2026-05-13', timezone: 'America/New_York', isCalculated: true });
    expect(earliest).toEqual(line);
    expect(lastFreeDays(of({ facility: computed }), at).earliest).toMatchObject({
      source: 'terminal',
      isCalculated: true,
    });
  });

  test('are ignored if `pickup_lfd_*` has another day; if it has the same day, the result may be marked as calculated', () => {
    const flat = { pickup_lfd_terminal: newYork(14) };
    expect(lastFreeDays(of({ facility: reported }, flat), at).terminal).toMatchObject({
      date: '2026-05-14',
      field: 'pickup_lfd_terminal',
      isCalculated: false,
    });
    const same = { pickup_lfd_terminal: newYork(13) };
    expect(lastFreeDays(of({ facility: computed }, same), at).terminal).toMatchObject({ isCalculated: true });
    expect(lastFreeDays(of({ facility: null, line: null }, same), at).terminal).toMatchObject({ isCalculated: false });
  });
});

describe('a container that goes inland by rail', () => {
  const import_deadlines = { ...NONE, pickup_lfd_terminal: newYork(12), pickup_lfd_rail: chicago(20) };
  const atPort = { ...INLAND, import_deadlines, pod_discharged_at: '2026-05-08T00:00:00Z' };
  const loaded = { ...atPort, pod_rail_loaded_at: '2026-05-11T00:00:00Z' };
  const gone = { ...loaded, pod_rail_departed_at: '2026-05-11T12:00:00Z' };
  const atRamp = { ...gone, ind_ata_at: '2026-05-16T00:00:00Z', ind_rail_unloaded_at: '2026-05-16T04:00:00Z' };
  const out = { ...atRamp, final_destination_full_out_at: '2026-05-22T18:00:00Z' };

  test.each([
    ['stands at the port', atPort, 'terminal', false],
    ['is on a wagon that has not left', loaded, 'terminal', false],
    ['has left the port', gone, 'railway', false],
    ['stands at the ramp', atRamp, 'railway', false],
    ['was collected', out, 'railway', true],
  ] as const)('has the deadlines of its place if it %s', (_, container, source, hasEnded) => {
    expect(lastFreeDays(container).earliest).toMatchObject({ source, hasEnded });
  });

  test('keeps the deadline of the port, marked as ended, if the deadline of the ramp is unknown', () => {
    const alone = { ...gone, import_deadlines: { ...NONE, pickup_lfd_terminal: newYork(12) } };
    expect(lastFreeDays(alone).earliest).toMatchObject({ source: 'terminal', hasEnded: true });
    expect(demurrageDays(alone)).toMatchObject({ state: 'ended', days: 0 });
  });
});

test('the earliest day is the earliest deadline at the place of the container; if that place has no deadline, it is the earliest deadline at the other place', () => {
  const day = fc.option(fc.integer({ min: 10, max: 28 }));
  fc.assert(
    fc.property(day, day, day, fc.boolean(), fc.boolean(), (line, terminal, rail, isPortLine, hasLeft) => {
      const container = {
        ...INLAND,
        pod_discharged_at: '2026-05-08T00:00:00Z',
        pod_rail_departed_at: hasLeft ? '2026-05-09T00:00:00Z' : null,
        import_deadlines: {
          pickup_lfd_line: line && (isPortLine ? newYork(line) : chicago(line)),
          pickup_lfd_terminal: terminal && newYork(terminal),
          pickup_lfd_rail: rail && chicago(rail),
        } as { pickup_lfd_line: string | null; pickup_lfd_terminal: string | null; pickup_lfd_rail: string | null },
      };
      const port = [terminal, isPortLine ? line : null].filter(each => each !== null);
      const inland = [rail, isPortLine ? null : line].filter(each => each !== null);
      const [first, second] = hasLeft ? [inland, port] : [port, inland];
      const counted = first.length > 0 ? first : second;
      const expected = counted.length > 0 ? `2026-05-${Math.min(...counted)}` : undefined;
      expect(lastFreeDays(container).earliest?.date).toBe(expected);
      expect(lastFreeDay(container)?.date).toBe(expected);
    }),
  );
});

/** The expected day, read from the record of the container. */
function toldBy(container: Container): string | undefined {
  const { import_deadlines: days, pod_timezone, final_destination_timezone } = container;
  const onCalendar = (at: string | null | undefined, timeZone: string | null | undefined) =>
    at ? new Intl.DateTimeFormat('en-CA', { timeZone: timeZone ?? 'UTC' }).format(new Date(at)) : [];
  const port = [days?.pickup_lfd_line, days?.pickup_lfd_terminal].flatMap(at => onCalendar(at, pod_timezone));
  const inland = [days?.pickup_lfd_rail].flatMap(at => onCalendar(at, final_destination_timezone));
  return (inland.length > 0 ? inland : port).toSorted()[0];
}

test.each(SCENARIO_NAMES.flatMap(name => [1, 7].map(seed => [name, seed] as const)))(
  '%s (seed %i): the day is as expected every six hours, also in the view of the database',
  { timeout: 120_000 },
  async (name, seed) => {
    const sandbox = stillSandbox({ seed });
    const { requestType: request_type, number: request_number, scac } = sandbox.scenario(name);
    const body = attributes('tracking_request', { request_type, request_number, scac });
    await call(sandbox, 'POST', '/tracking_requests', body);
    const place = sqlitePlace();
    const store = place.open();
    await store.migrate();
    let before = '';
    for (let step = 0; step < 110 * 4; step += 1) {
      sandbox.advance({ hours: 6 });
      const [data] = (await call(sandbox, 'GET', '/containers')).body.data;
      if (!data) continue;
      const container = { ...data.attributes, id: data.id, type: 'container' } as Container;
      const at = `${name} at ${sandbox.now().toISOString()}`;
      const { earliest } = lastFreeDays(container, { now: sandbox.now() });
      expect(earliest?.date, at).toBe(toldBy(container));
      const text = JSON.stringify([earliest?.date, earliest?.hasEnded, container.current_status]);
      if (text === before) continue;
      before = text;
      const asOf = sandbox.now().getTime();
      await store.write({ rows: [{ type: 'container', id: container.id, asOf, record: container }] });
      const [row] = await place.sql('SELECT last_free_day AS day, last_free_day_source AS source FROM $.pickups');
      const counted = earliest?.hasEnded ? null : earliest;
      if (row) expect(row, at).toMatchObject({ day: counted?.date ?? null, source: counted?.source ?? null });
    }
    await store.close();
    await place.remove();
  },
);
