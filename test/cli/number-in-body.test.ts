import { expect, test } from 'vitest';
import { numberIn } from '../../src/cli/number-in-body.ts';
import { fakeDelivery } from '../../src/webhooks/index.ts';

const bytes = (delivery: unknown) => new TextEncoder().encode(JSON.stringify(delivery));

test.each([
  ['tracking_request.succeeded', 'MAEU900012374'],
  ['shipment.estimated.arrival', 'MAEU900012374'],
  ['container.updated', 'MAEU6702737'],
] as const)(
  'the number of a delivery of %s is that of its subject, although it includes a container',
  (event, number) => {
    const delivery = fakeDelivery(
      event as 'tracking_request.succeeded',
      {
        container: { number: 'MAEU6702737' },
        shipment: { bill_of_lading_number: 'MAEU900012374' },
        tracking_request: { request_number: 'MAEU900012374' },
      } as never,
    );
    expect(numberIn(bytes(delivery))).toBe(number);
  },
);

test('a body without a number has none', () => {
  expect(numberIn(bytes({}))).toBeNull();
});
