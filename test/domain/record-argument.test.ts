import { describe, expect, test } from 'vitest';
import {
  containerState,
  delays,
  demurrageDays,
  detentionDays,
  isReadyForPickup,
  labelledMilestones,
  lastFreeDay,
  lastFreeDays,
  milestones,
} from '../../src/domain/index.ts';
import { ConfigurationError } from '../../src/errors.ts';

const OF_CONTAINERS = {
  isReadyForPickup,
  containerState,
  lastFreeDay,
  lastFreeDays,
  demurrageDays,
  detentionDays: (container: object) => detentionDays(container, { freeDays: 5 }),
  milestones: (container: object) => milestones(container),
  labelledMilestones: (container: object) => labelledMilestones(container),
};

describe.each(Object.entries(OF_CONTAINERS))('%s()', (_, helper: (container: never) => unknown) => {
  test('refuses a reference to a container that was not included', () => {
    expect(() => helper({ type: 'container', id: '1' } as never)).toThrow(
      new ConfigurationError(
        'The container has only a type and an id, because it was not included: add it to the include of the call.',
      ),
    );
  });

  test('refuses a record of another type', () => {
    expect(() => helper({ type: 'shipment', id: '1', pod_timezone: 'America/New_York' } as never)).toThrow(
      new ConfigurationError('The container is a record of the type shipment; it must be a container.'),
    );
  });

  test.each([undefined, null, 'MSCU1234567', 7])('refuses %o', given => {
    expect(() => helper(given as never)).toThrow(/^The container is .+; it must be a record\.$/);
  });

  test('accepts a container with few attributes, or without its type and id', () => {
    for (const few of [{ type: 'container', id: '1', number: 'MSCU1234567' }, { number: 'MSCU1234567' }, {}]) {
      expect(() => helper(few as never)).not.toThrow();
    }
  });
});

test('delays() refuses a container, a reference to a shipment, and a missing shipment', () => {
  const refused = (shipment: unknown) => expect(() => delays(shipment as never));
  refused({ type: 'container', id: '1', number: 'MSCU1234567' }).toThrow(
    new ConfigurationError('The shipment is a record of the type container; it must be a shipment.'),
  );
  refused({ type: 'shipment', id: '1' }).toThrow(/^The shipment has only a type and an id/);
  refused(null).toThrow(new ConfigurationError('The shipment is null; it must be a record.'));
  expect(delays({}).arrival).toBeNull();
});
