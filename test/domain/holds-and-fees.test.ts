import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rollUpHoldsAndFees } from '../../src/domain/index.ts';
import { ConfigurationError } from '../../src/errors.ts';
import type { TerminalFee, TerminalHold } from '../../src/model/index.ts';

const hold = (name: string, status = 'hold', description: string | null = ''): TerminalHold => ({
  name,
  status,
  description,
});
const fee = (type: string, amount: number, currency_code?: string): TerminalFee => ({
  type,
  amount,
  ...(currency_code !== undefined && { currency_code }),
});
const box = (id: string, fees: TerminalFee[] = [], holds: TerminalHold[] = [], terminal_checked_at?: string) => ({
  id,
  type: 'container' as const,
  number: `MSCU${id}`,
  fees_at_pod_terminal: fees,
  holds_at_pod_terminal: holds,
  terminal_checked_at,
});

describe('holds', () => {
  test('on several containers are merged, with their containers and different descriptions', () => {
    const containers = [
      box('1', [], [hold('customs', 'hold', 'CET exam'), hold('freight')]),
      box('2', [], [hold('customs', 'hold', 'X-ray'), hold('freight', 'pending')]),
      box('3', [], [hold('customs', 'hold', 'CET exam'), hold('customs', 'hold', 'X-ray')]),
    ];
    const numbers = (...ids: string[]) => ids.map(id => ({ id, number: `MSCU${id}` }));
    expect(rollUpHoldsAndFees({ containers }).holds).toEqual([
      { name: 'customs', status: 'hold', descriptions: ['CET exam', 'X-ray'], containers: numbers('1', '2', '3') },
      { name: 'freight', status: 'hold', descriptions: [], containers: numbers('1') },
      { name: 'freight', status: 'pending', descriptions: [], containers: numbers('2') },
    ]);
  });

  test('differ by upper and lower case in the name', () => {
    expect(rollUpHoldsAndFees([box('1', [], [hold('USDA'), hold('usda')])]).holds).toHaveLength(2);
  });
});

describe('fees', () => {
  test('of several containers are added for each kind and each currency', () => {
    const { fees, totals } = rollUpHoldsAndFees([
      box('1', [fee('demurrage', 100, 'USD'), fee('exam', 0.1, 'usd'), fee('other', 5, 'EUR')]),
      box('2', [fee('demurrage', 100, 'USD'), fee('exam', 0.2, 'USD'), fee('demurrage', 7)]),
    ]);
    expect(fees).toEqual([
      { type: 'demurrage', currency: 'USD', amount: 200, containers: 2 },
      { type: 'demurrage', currency: null, amount: 7, containers: 1 },
      { type: 'exam', currency: 'USD', amount: 0.3, containers: 2 },
      { type: 'other', currency: 'EUR', amount: 5, containers: 1 },
    ]);
    expect(totals).toEqual([
      { currency: 'USD', amount: 200.3 },
      { currency: 'EUR', amount: 5 },
      { currency: null, amount: 7 },
    ]);
  });

  test("do not include the terminal's total in addition to its parts", () => {
    const { totals, containers } = rollUpHoldsAndFees([
      box('1', [fee('demurrage', 100, 'USD'), fee('exam', 50, 'USD'), fee('total', 150, 'USD')]),
    ]);
    expect(totals).toEqual([{ currency: 'USD', amount: 150 }]);
    expect(containers[0]?.statedTotals).toEqual([{ currency: 'USD', amount: 150 }]);
  });

  test('are the total if there are no details', () => {
    const { totals, fees } = rollUpHoldsAndFees([
      box('1', [fee('total', 80, 'USD')]),
      box('2', [fee('exam', 5, 'USD')]),
    ]);
    expect(totals).toEqual([{ currency: 'USD', amount: 85 }]);
    expect(fees.map(({ type }) => type)).toEqual(['total', 'exam']);
  });

  test('count once if a container lists the same fee twice', () => {
    const repeated = [fee('exam', 50, 'USD'), fee('exam', 50, 'USD')];
    expect(rollUpHoldsAndFees([box('1', repeated)]).totals).toEqual([{ currency: 'USD', amount: 50 }]);
    expect(rollUpHoldsAndFees([box('1', [...repeated, fee('total', 50, 'USD')])]).totals).toEqual([
      { currency: 'USD', amount: 50 },
    ]);
  });

  test('count twice if the total of the terminal includes the same fee twice', () => {
    const fees = [fee('exam', 50, 'USD'), fee('exam', 50, 'USD'), fee('total', 100, 'USD')];
    expect(rollUpHoldsAndFees([box('1', fees)]).totals).toEqual([{ currency: 'USD', amount: 100 }]);
  });

  test('are marked if they have no price', () => {
    expect(rollUpHoldsAndFees([box('1', [fee('exam', 0, 'USD'), fee('other', 5, 'USD')])])).toMatchObject({
      hasUnpricedFees: true,
      totals: [{ currency: 'USD', amount: 5 }],
    });
    expect(rollUpHoldsAndFees([box('1', [fee('other', 5, 'USD')])]).hasUnpricedFees).toBe(false);
  });
});

describe('containers', () => {
  test('that occur twice count once, in their last reported state', () => {
    const older = box('1', [fee('exam', 50, 'USD')], [hold('customs')], '2026-03-09T00:00:00Z');
    const newer = box('1', [fee('exam', 70, 'USD')], [], '2026-03-10T00:00:00Z');
    for (const given of [
      [older, newer],
      [newer, older],
    ]) {
      expect(rollUpHoldsAndFees(given)).toMatchObject({ holds: [], totals: [{ currency: 'USD', amount: 70 }] });
    }
  });

  const reference = { type: 'container', id: '1' };

  test('add nothing if they have no lists, or if they are only references in a list with other containers', () => {
    const nothing = { holds: [], fees: [], totals: [], hasUnpricedFees: false };
    const empty = { number: 'A', holds_at_pod_terminal: null, fees_at_pod_terminal: null };
    expect(rollUpHoldsAndFees([empty, reference])).toMatchObject({ ...nothing, containers: [{ number: 'A' }] });
    expect(rollUpHoldsAndFees({ containers: [] })).toEqual({ ...nothing, containers: [] });
  });

  test.each([
    ['only references', { containers: [reference] }],
    ['an array of references', [reference]],
    ['a shipment without containers', { type: 'shipment', id: '1' }],
    ['a value that is not a list', { containers: 'x' }],
    ['a container', { type: 'container', number: 'A', holds_at_pod_terminal: [] }],
    ['nothing', undefined],
  ])('are refused if none of them can be read: %s', (_, given) => {
    expect(() => rollUpHoldsAndFees(given as never)).toThrow(
      new ConfigurationError(
        "The containers of the shipment were not included: add 'containers' to the include of the call.",
      ),
    );
  });
});

test('a value that is not a list counts as empty, and an item that is not a hold or a fee is left out', () => {
  const odd = [null, 'x', 7, undefined];
  const due = [...odd, fee('demurrage', 100, 'USD'), ...odd];
  const held = [...odd, hold('customs', 'hold', 5 as never)];
  const [one, other] = [box('1', due as never, held as never), box('2', 'x' as never, {} as never)];
  expect(rollUpHoldsAndFees([one, null as never, other])).toMatchObject({
    holds: [{ name: 'customs', descriptions: [], containers: [{ id: '1' }] }],
    fees: [{ type: 'demurrage', currency: 'USD', amount: 100, containers: 1 }],
    totals: [{ currency: 'USD', amount: 100 }],
    containers: [{ id: '1' }, { id: '2', holds: [], fees: [], totals: [], statedTotals: [] }],
  });
  const json = fc.jsonValue({ maxDepth: 3 });
  const item = fc.record(
    { type: json, amount: json, currency_code: json, name: json, status: json, description: json },
    { requiredKeys: [] },
  );
  const list = fc.oneof(json, fc.array(fc.oneof(json, item)));
  const record = fc.record({
    id: json,
    number: json,
    holds_at_pod_terminal: list,
    fees_at_pod_terminal: list,
    terminal_checked_at: json,
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(json, record)), given =>
      Array.isArray(rollUpHoldsAndFees(given as never).containers),
    ),
    { numRuns: 500 },
  );
});

const fees = fc.array(
  fc.record({
    type: fc.constantFrom('demurrage', 'exam', 'other', 'total'),
    amount: fc.integer({ min: 0, max: 1_000_000 }).map(cents => cents / 100),
    currency_code: fc.constantFrom('USD', 'EUR', 'usd'),
  }),
);
const containers = fc.array(fees, { maxLength: 6 }).map(all => all.map((given, index) => box(String(index), given)));
const amounts = (sums: { currency: string | null; amount: number }[]) =>
  new Map(sums.map(({ currency, amount }) => [currency, Math.round(amount * 100)]));

test('the sums by container, by kind and in total are equal in each currency', () => {
  fc.assert(
    fc.property(containers, given => {
      const { totals, fees, containers } = rollUpHoldsAndFees(given);
      for (const [currency, cents] of amounts(totals)) {
        const of = (sums: { currency: string | null; amount: number }[]) =>
          sums.filter(sum => sum.currency === currency).reduce((sum, { amount }) => sum + Math.round(amount * 100), 0);
        expect(of(fees)).toBe(cents);
        expect(of(containers.flatMap(container => container.totals))).toBe(cents);
      }
    }),
  );
});

test('repeating every container changes nothing', () => {
  fc.assert(
    fc.property(containers, given => {
      expect(rollUpHoldsAndFees([...given, ...given])).toEqual(rollUpHoldsAndFees(given));
    }),
  );
});
