import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import { requestDocument } from '../../src/jsonapi/serialize.ts';

describe('a request document', () => {
  test('wraps flat attributes', () => {
    expect(requestDocument('party', { company_name: 'ACME' })).toEqual({
      data: { type: 'party', attributes: { company_name: 'ACME' } },
    });
  });

  test('has the id of the record that it changes', () => {
    expect(requestDocument('party', { company_name: 'ACME' }, { id: 'p1' })).toEqual({
      data: { type: 'party', id: 'p1', attributes: { company_name: 'ACME' } },
    });
  });

  test('moves the named relationships out of the attributes, and sends only their type and id', () => {
    const customer = { type: 'party', id: 'p1', company_name: 'ACME' };
    const attributes = { request_number: 'BL1', customer };
    expect(requestDocument('tracking_request', attributes, { relationships: ['customer'] })).toEqual({
      data: {
        type: 'tracking_request',
        attributes: { request_number: 'BL1' },
        relationships: { customer: { data: { type: 'party', id: 'p1' } } },
      },
    });
    expect(attributes).toEqual({ request_number: 'BL1', customer });
  });

  test('does not change an attribute that looks like a reference', () => {
    const value = { type: 'party', id: 'p1' };
    expect(requestDocument('custom_field', { value }).data).toEqual({ type: 'custom_field', attributes: { value } });
  });

  test('has relationships only if they are set, and null for a relationship that must be cleared', () => {
    const options = { relationships: ['customer'] };
    expect(requestDocument('x', { customer: undefined }, options).data).toStrictEqual({ type: 'x', attributes: {} });
    expect(requestDocument('x', { customer: null }, options).data.relationships).toEqual({ customer: { data: null } });
  });

  test('sends null and leaves out undefined', () => {
    const text = JSON.stringify(requestDocument('x', { a: null, b: undefined, c: 0 }));
    expect(JSON.parse(text).data.attributes).toEqual({ a: null, c: 0 });
  });

  test.each([['p1'], [{ id: 'p1' }], [{ type: 'party' }], [{ type: 'party', id: 7 }], [['p1']], [0], ['']])(
    'is refused for the relationship %j',
    customer => {
      expect(() => requestDocument('x', { customer }, { relationships: ['customer'] })).toThrow(ConfigurationError);
      expect(() => requestDocument('x', { customer }, { relationships: ['customer'] })).toThrow('customer');
    },
  );

  test.each([[undefined], [null], ['text'], [[]], [7]])('is refused for %j instead of attributes', attributes => {
    expect(() => requestDocument('party', attributes as unknown as object)).toThrow(ConfigurationError);
  });

  test('keeps any attributes unchanged', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), attributes => {
        expect(requestDocument('x', attributes).data.attributes).toEqual(attributes);
      }),
    );
  });
});
