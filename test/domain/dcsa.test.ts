import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type DcsaEvent, toDcsa } from '../../src/index.ts';
import { EVENT_NAMES } from '../../src/webhooks/index.ts';

const PAGE = readFileSync(new URL('../../docs/reference/dcsa.md', import.meta.url), 'utf8');
const EVENTS = EVENT_NAMES.filter(name => /^container\.(transport|pickup_)|^shipment\.estimated/.test(name));

/** The rows of the documentation page, by event. */
const rows = new Map(
  [...PAGE.matchAll(/^\| `([a-z_.]+)` \| (.*) \|$/gm)].map(([, event = '', cells = '']) => [event, cells] as const),
);

function rowOf(codes: DcsaEvent | undefined): string {
  if (codes === undefined) return 'none |  |  |  | ';
  const { type, code, classifier, emptyIndicator, mode } = codes;
  return [type, `\`${code}\``, classifier, emptyIndicator ?? '', mode ?? ''].join(' | ');
}

test.each(EVENTS)('%s has the codes of the documentation page', event => {
  expect(rows.get(event)).toBe(rowOf(toDcsa({ event })));
});

test('the documentation page has exactly the events that can be about transport', () => {
  expect([...rows.keys()].sort()).toEqual([...EVENTS].sort());
});

/* The names of the codes in the standard. */
const EQUIPMENT = 'LOAD DISC GTIN GTOT STUF STRP PICK DROP INSP RSEA RMVD AVPU AVDO'.split(' ');

test('all codes are in the standard, each in the right group', () => {
  for (const event of EVENTS) {
    const codes = toDcsa({ event });
    if (codes === undefined) continue;
    const isTransport = ['ARRI', 'DEPA'].includes(codes.code);
    expect(codes.type).toBe(isTransport ? 'TRANSPORT' : 'EQUIPMENT');
    if (!isTransport) expect(EQUIPMENT).toContain(codes.code);
    expect(codes.classifier).toBe(event.includes('estimated') ? 'EST' : 'ACT');
    expect(codes.emptyIndicator).toBe(isTransport ? null : event.includes('.empty_') ? 'EMPTY' : 'LADEN');
  }
});

test.each([
  'container.transport.barge_loaded',
  'container.updated',
  'document.extracted',
  'tracking_request.succeeded',
  'constructor',
  '',
])('%j has no codes', event => {
  expect(toDcsa({ event })).toBeUndefined();
});

test('a value that is not an event has no codes, and changing one result does not affect later results', () => {
  expect(toDcsa(undefined as never)).toBeUndefined();
  const event = 'container.transport.full_out';
  const codes = toDcsa({ event });
  Object.assign(codes ?? {}, { code: 'odd' });
  expect(toDcsa({ event })).toEqual({
    type: 'EQUIPMENT',
    code: 'GTOT',
    classifier: 'ACT',
    emptyIndicator: 'LADEN',
    mode: 'TRUCK',
  });
});
