import { expect, test } from 'vitest';
import { checkDocument, isReady } from '../src/schemas/check.ts';

const document = {
  data: [{ type: 'shipment', id: '1' }],
  included: [
    { type: 'port', id: '2' },
    { type: 'drone', id: '3' },
  ],
};

test('a document is ready when the schemas of its types are built, and no others are built for it', () => {
  expect(isReady(document)).toBe(false);
  expect(isReady({ data: null })).toBe(true);
  expect(isReady({ data: { type: 'drone', id: '1' } })).toBe(true);

  checkDocument({ data: document.data });
  expect(isReady({ data: document.data })).toBe(true);
  expect(isReady(document)).toBe(false);

  checkDocument(document);
  expect(isReady(document)).toBe(true);
  expect(isReady(document, { schema: 'search_result' })).toBe(false);
  expect(isReady({ data: { type: 'container', id: '1' } })).toBe(false);
});
