import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { expect, test, vi } from 'vitest';
import { GROUPS } from '../support/benchmarks/groups.ts';
import { compare, medianOfRuns, type Ratio, spreadOf, steadily } from '../support/benchmarks/measure.ts';
import { plot } from '../support/benchmarks/plot.ts';
import { fillIn, generated, pagesWithFigures } from '../support/benchmarks/report.ts';
import { type Figure, figureOf, isOver, merged, type Results, readResults } from '../support/benchmarks/results.ts';

const ROOT = resolve(import.meta.dirname, '..');
const results = readResults();
const pages = pagesWithFigures().map(file => [relative(ROOT, file), readFileSync(file, 'utf8')] as const);

const figure = (over: Partial<Figure> = {}): Figure => ({
  id: 'list/eight/one',
  title: 'list',
  name: 'eight',
  against: 'one',
  value: 0.145,
  unit: '×',
  ms: 12,
  ...over,
});
const of = (...figures: Figure[]): Results => ({ draining: { node: '24.0.0', cpus: 2, figures } });

test('the page and the plots are up to date with the figures: node support/benchmarks/report.ts writes them', () => {
  for (const [file, text] of generated(results)) expect(readFileSync(join(ROOT, file), 'utf8'), file).toBe(text);
});

test('each group has figures, and each plot has a group', () => {
  const plots = readdirSync(join(ROOT, 'docs/images')).filter(name => name.startsWith('bench-'));
  expect(plots.toSorted()).toEqual(
    Object.keys(GROUPS)
      .map(name => `bench-${name}.svg`)
      .toSorted(),
  );
  for (const [name, { figures }] of Object.entries(results)) expect(figures.length, name).toBeGreaterThan(0);
});

test('every figure has a unique id', () => {
  const ids = Object.values(results).flatMap(({ figures }) => figures.map(({ id }) => id));
  expect(ids.length).toBe(new Set(ids).size);
});

test.each(pages)(
  '%s cites the figures as they were measured: node support/benchmarks/report.ts writes them',
  (_, text) => {
    expect(fillIn(text, results)).toBe(text);
  },
);

/** A claim about speed or size. Limits, defaults and lengths of the service are not claims. */
const CLAIM =
  /\d(?: ×|×| ?x faster)|\b[\d.]+ (?:times|%) (?:as (?:fast|small|much)|faster|slower|smaller|less|more)|\b(?:takes?|took|costs?|adds?|starts? in|answers in)\s+(?:about |only |some |just )?[\d.]+ ?(?:ms|µs|s|KiB|kB)\b|\b[\d.]+ ?(?:KiB|kB|KB) (?:min|gzip|compressed)/i;

/** The text that a person has written: without code, and without the text between markers. */
function typed(text: string): string {
  return text.replace(/^```.*?^```/gms, '').replace(/<!-- figure \S+ \w+ -->.*?<!-- \/figure -->/gs, '');
}

test.each(pages)(
  '%s has no figure that was typed by hand: put it between the markers of support/benchmarks/report.ts',
  (_, text) => {
    expect(
      typed(text)
        .split('\n')
        .filter(line => CLAIM.test(line)),
    ).toEqual([]);
  },
);

test('a figure is written between its markers in each format, and the rest of the text does not change', () => {
  const text =
    '# A\n<!-- figure list/eight/one faster --><!-- /figure --> and <!-- figure list/eight/one value -->\nold<!-- /figure -->.';
  expect(fillIn(text, of(figure()))).toBe(
    '# A\n<!-- figure list/eight/one faster -->6.9 times<!-- /figure --> and <!-- figure list/eight/one value -->0.14 ×<!-- /figure -->.',
  );
});

test('a marker with an unknown figure or format is refused, and the error names the fault', () => {
  expect(() => fillIn('<!-- figure list/nine value -->1<!-- /figure -->', of(figure()))).toThrow('no figure list/nine');
  expect(() => fillIn('<!-- figure list/eight/one prose -->1<!-- /figure -->', of(figure()))).toThrow(
    'no format prose',
  );
});

test('a run of one group replaces only this group', () => {
  const before = { ...of(figure()), sizes: { node: '22.0.0', cpus: 8, figures: [figure({ unit: 'KiB' })] } };
  const machine = { node: '24.0.0', cpus: 4 };
  const after = merged(before, { draining: [figure({ value: 0.2 })] }, ['sizes', 'draining', 'feed'], machine);
  expect(Object.keys(after)).toEqual(['sizes', 'draining']);
  expect(after.sizes).toEqual(before.sizes);
  expect(after.draining).toEqual({ ...machine, figures: [figure({ value: 0.2 })] });
});

test('a value breaks its limit if it is not a number, if it is above the limit, or if its control is below a minimum', () => {
  expect(isOver(figure({ value: 1.21, limit: 1.2 }))).toBe(true);
  expect(isOver(figure({ value: 1.2, limit: 1.2 }))).toBe(false);
  expect(isOver(figure({ value: 0.9, limit: 1.05, atLeast: 0.95 }))).toBe(true);
  expect(isOver(figure({ value: Number.NaN, limit: 1 }))).toBe(true);
});

test('a ratio compares medians, and its spread compares the times within each round', () => {
  // A short slowdown of the machine affects every contender that is measured in the same round.
  const times = [
    [1, 1, 10, 1],
    [2, 2, 20, 2],
  ];
  const contenders = [{ name: 'fetch' }, { name: 'ours' }];
  expect(compare('request', contenders, times, { limits: { ours: 1.5 } })).toEqual([
    { group: 'request', name: 'ours', against: 'fetch', ratio: 2, ms: 2, spread: [2, 2], limit: 1.5 },
  ]);
  expect(spreadOf([5, 1, 3])).toEqual([1, 5]);
  expect(spreadOf([8, 1, 7, 2, 6, 3, 5, 4])).toEqual([3, 6]);
});

test.each([
  ['of the first attempt if its control is steady', [[1.01, 0.95, 1.05]], 0],
  [
    'of a later attempt if the control was wrong before, or spread far to one side',
    [
      [1.2, 1.1, 1.3],
      [1, 0.7, 1.1],
      [0.99, 0.9, 1.1],
    ],
    2,
  ],
  [
    'of the attempt with the least noise if no control is steady',
    [
      [1.2, 1, 1.3],
      [1, 0.9, 1.2],
      [1.1, 0.7, 1.4],
    ],
    1,
  ],
] as const)('the result is the measurement %s', async (_, attempts, counts) => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => {});
  const measured = attempts.map(([ratio, low, high]): Ratio[] => [
    {
      group: 'request',
      name: 'fetch once more',
      against: 'fetch',
      ratio,
      ms: 1,
      spread: [low, high],
      atLeast: 0.95,
      limit: 1.05,
    },
  ]);
  let made = 0;
  const counted = await steadily(3, async () => measured[made++] ?? []);
  expect(measured.indexOf(counted)).toBe(counts);
  expect(made).toBe(measured.length);
  said.mockRestore();
});

test('the result of several runs is the median of each figure', () => {
  const run = (ratio: number, ms: number, spread: [number, number]): Ratio[] => [
    { group: 'request', name: 'ours', against: 'fetch', ratio, ms, spread, limit: 1.2 },
  ];
  expect(medianOfRuns([run(1.3, 2, [1.1, 1.5]), run(1.1, 3, [1, 1.3]), run(1.2, 1, [0.9, 1.4])])).toEqual(
    run(1.2, 2, [1, 1.4]),
  );
});

test('the figures of a difference and of a size have their units', () => {
  const difference = {
    group: 'import()',
    name: 'main',
    against: 'empty',
    difference: 4.26,
    ms: 5,
    spread: [3, 5],
  } as const;
  expect(figureOf({ ...difference, spread: [3, 5] })).toMatchObject({
    id: 'import/main/empty',
    value: 4.26,
    unit: 'ms',
  });
  expect(figureOf({ name: 'main', gzip: 2048, limit: 3072 })).toMatchObject({
    value: 2,
    unit: 'KiB',
    limit: 3,
  });
});

test('a plot escapes names, shows the band of its control, and colours values above their limit', () => {
  const control = figure({ name: 'one, <again>', value: 1.01, atLeast: 0.95, limit: 1.05 });
  const svg = plot('Lists & pages', { node: '24', cpus: 2, figures: [control, figure({ limit: 0.1 })] });
  expect(svg).toContain('<title>Lists &amp; pages</title>');
  expect(svg).toContain('one, &lt;again&gt;');
  expect(svg.match(/class="noise"/g)).toHaveLength(1);
  expect(svg.match(/class="over"/g)).toHaveLength(1);
  expect(svg).toContain('prefers-color-scheme: dark');
  expect(svg).not.toMatch(/NaN|undefined|Infinity/);
});
