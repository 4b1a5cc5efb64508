import { describe, expect, test } from 'vitest';
import { hasProgram } from '../../support/needs.ts';
import { endure, FEWEST_AFTERWARDS, outages } from '../../support/outages.ts';

// The processes use the packages redis and ioredis alternately.
describe.skipIf(!hasProgram('redis-server')).concurrent('four processes stay within the budget during', () => {
  test.each(Object.entries(outages))(
    '%s',
    async (_, happen) => {
      const { limited, afterwards } = await endure(happen);
      expect(limited).toBe(0);
      // All processes share the budget again.
      for (const count of afterwards) expect(count).toBeGreaterThan(FEWEST_AFTERWARDS);
    },
    180_000,
  );
});
