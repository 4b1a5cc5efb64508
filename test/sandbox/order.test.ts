import { expect, test } from 'vitest';
import { attributes, call, get, stillSandbox } from '../../support/sandbox.ts';

const ids = async (sandbox: Parameters<typeof get>[0], path: string): Promise<string[]> =>
  (await get(sandbox, path)).body.data.map(({ id }: { id: string }) => id);

test('a refreshed container comes first in the list of containers, and the number of containers stays the same', async () => {
  const sandbox = stillSandbox();
  const old = sandbox.seedContainers(60);
  const [oldest, second] = [old[0]?.id ?? '', old[1]?.id ?? ''];
  const first = (await get(sandbox, '/containers')).body;
  expect(first.data.map(({ id }: { id: string }) => id)).not.toContain(oldest);

  expect((await call(sandbox, 'PATCH', `/containers/${oldest}/refresh`)).status).toBe(200);
  sandbox.refreshContainers([second]);
  const again = (await get(sandbox, '/containers')).body;
  expect(again.data.slice(0, 2).map(({ id }: { id: string }) => id)).toEqual([second, oldest]);
  expect(again.meta.total).toBe(first.meta.total);
  expect((await ids(sandbox, '/containers?sort=created_at')).slice(0, 2)).toEqual([oldest, second]);
});

test('refreshContainers(n) refreshes the n containers with the oldest status', async () => {
  const sandbox = stillSandbox();
  const [oldest, second] = sandbox.seedContainers(60).map(({ id }) => id);
  sandbox.refreshContainers(2);
  expect((await ids(sandbox, '/containers')).slice(0, 2)).toEqual([second, oldest]);
  sandbox.refreshContainers(0);
  expect(() => sandbox.refreshContainers(-1)).toThrow('to refresh');
  expect(() => sandbox.refreshContainers(['unknown'])).toThrow('There is no container "unknown"');
});

test('a client that reads all pages misses some containers if containers are refreshed meanwhile, unless the list is sorted by created_at', async () => {
  const sandbox = stillSandbox();
  sandbox.seedContainers(312);
  const end = sandbox.subscribe(change => {
    if (change.type === 'request' && change.request.status === 200) sandbox.refreshContainers(5);
  });
  const read = async (sort: string) => {
    const seen = new Set<string>();
    for (let page = 1; page <= 7; page++) {
      for (const id of await ids(sandbox, `/containers?page[size]=50&page[number]=${page}${sort}`)) seen.add(id);
    }
    return seen.size;
  };
  expect(await read('')).toBeLessThan(312);
  expect(await read('&sort=created_at')).toBe(312);
  end();
});

test('when the clock moves by 20 minutes, some containers are refreshed, and the list contains the same containers', async () => {
  const sandbox = stillSandbox();
  sandbox.seedContainers(40, { phase: 'at_sea' });
  const before = await ids(sandbox, '/containers?page[size]=50');
  sandbox.advance({ minutes: 20 });
  const after = await ids(sandbox, '/containers?page[size]=50');
  const moved = after.findIndex(id => id === before.find(other => after.indexOf(other) > 0 && id === other));
  expect(after).not.toEqual(before);
  expect(after.toSorted()).toEqual(before.toSorted());
  expect(moved).toBeGreaterThan(-1);
  // The containers that were not refreshed are still in their old order.
  const last = before.filter(id => after.indexOf(id) >= 20);
  expect(after.slice(20)).toEqual(last);
});

test('sort=-updated_at puts first the containers that were edited or refreshed, or that have reached a milestone', async () => {
  const sandbox = stillSandbox();
  const [edited = '', refreshed = ''] = sandbox.seedContainers(30, { phase: 'at_sea' }).map(({ id }) => id);
  const before = await ids(sandbox, '/containers?sort=-updated_at');
  sandbox.advance({ minutes: 5 });
  expect(await ids(sandbox, '/containers?sort=-updated_at')).toEqual(before);
  const body = { data: { ...attributes('container', { ref_numbers: ['A'] }).data, id: edited } };
  await call(sandbox, 'PATCH', `/containers/${edited}`, body);
  sandbox.refreshContainers([refreshed]);
  expect((await ids(sandbox, '/containers?sort=-updated_at')).slice(0, 2)).toEqual([refreshed, edited]);
  // Ten days later, other containers have more recent milestones.
  sandbox.advance({ days: 10 });
  const [front = ''] = await ids(sandbox, '/containers?sort=-updated_at');
  expect([edited, refreshed]).not.toContain(front);
});
