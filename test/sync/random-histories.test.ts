import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { randomHistory } from '../../support/random-sync-history.ts';
import { storePlaces } from '../../support/sync-places.ts';

/**
 * `npm run histories` gives 50 histories to each store. Without this command, the stores share these histories. In the
 * history with the number 19, a resumed pass begins with a 404.
 */
const SEEDS = [1, 2, 3, 4, 5, 6, 7, 8, 10, 19];
const COUNT = Number(process.env.HISTORIES ?? 0);
const seedsOf = (index: number) =>
  COUNT > 0 ? Array.from({ length: COUNT }, (_, seed) => seed + 1) : SEEDS.filter(seed => seed % 2 === index);

const places = storePlaces().map(([name, makePlace], index) => ({ name, makePlace, seeds: seedsOf(index) }));

describe.each(places)('with a store in $name, every table equals the service', ({ makePlace, seeds }) => {
  test.each(seeds)(
    'after the random history %i',
    async seed => {
      const place = makePlace();
      onTestFinished(() => place.remove());
      const { differences, samples, periods } = await randomHistory(place, seed);
      expect(differences).toEqual([]);
      expect(samples).toBe(5);
      expect(periods).toBeGreaterThan(20);
    },
    120_000,
  );
});

test('the oracle finds a wrong column, a missing row, and a wrong history', async () => {
  const [{ makePlace }] = places as [(typeof places)[number]];
  const place = makePlace();
  onTestFinished(() => place.remove());
  const damage = async () => {
    const [container] = await place.sql('SELECT id FROM $.containers WHERE deleted_at IS NULL');
    const [shipment] = await place.sql('SELECT id FROM $.shipments WHERE deleted_at IS NULL');
    await place.sql(`UPDATE $.containers SET number = 'WRONG' WHERE id = '${container?.id}'`);
    await place.sql(`DELETE FROM $.shipments WHERE id = '${shipment?.id}'`);
    await place.sql(
      `UPDATE $.sync_history SET value = 'wrong' WHERE record_id = '${container?.id}' AND field = 'current_status'`,
    );
    return { container: container?.id, shipment: shipment?.id };
  };
  const { differences, damaged } = await randomHistory(place, 1, damage);
  const text = differences.join('\n');
  expect(text).toContain(`container ${damaged?.container} column number: "WRONG" instead of`);
  expect(text).toContain(`shipment ${damaged?.shipment} is missing`);
  expect(text).toContain(`The service never sent container ${damaged?.container} current_status  = wrong.`);
}, 60_000);

test.each(['truth', 'tables', 'history'])('%s.ts of the oracle has no code of the package', name => {
  const source = readFileSync(`support/sync-oracle/${name}.ts`, 'utf8');
  const imports = [...source.matchAll(/ from '([^']+)'/g)].map(([, from = '']) => from);
  expect(imports.filter(from => !/^(node:|\.\/(truth|tables|history)\.ts$)/.test(from))).toEqual([]);
});
