import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSame } from '../../src/feed/compare.ts';
import { type Change, type Container, type Feed, type FeedCheckpoint, TrackingClient } from '../../src/index.ts';
import { parseJson, type WireResource } from '../../src/jsonapi/document.ts';
import type { Notification } from '../../src/webhooks/index.ts';

type Fields = Record<string, unknown>;
type States = Map<string, Fields>;

/** An event between two items that a consumer receives. */
type Step =
  | { do: 'set'; id: number; name: string; value: unknown }
  | { do: 'remove'; id: number }
  | { do: 'take'; count: number }
  | { do: 'notify'; id: number }
  | { do: 'fail'; status: number }
  | { do: 'kill'; saved: 'whole' | 'parts' };

const IDS = 130;
const NAMES = ['number', 'seal_number', 'holds', 'constructor', 'a b'];

/** A value that a response can have. Parsing drops a key `__proto__`. */
const value = fc.jsonValue({ maxDepth: 2 }).map(json => parseJson(JSON.stringify(json)));
const id = fc.oneof({ weight: 4, arbitrary: fc.nat(3) }, fc.nat(IDS - 1));
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      id,
      name: fc.constantFrom(...NAMES),
      value: fc.oneof(fc.constantFrom(null, 'A', 'B', 0), value),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), id }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('take' as const),
      count: fc.oneof({ weight: 5, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.integer({ min: 1, max: 140 })),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('notify' as const), id }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('fail' as const), status: fc.constantFrom(404, 429, 500, 503) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('kill' as const),
      saved: fc.constantFrom('whole' as const, 'parts' as const),
    }),
  },
);

test('the items rebuild the state of the service without repetition, whatever happens between two items', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 25 }),
      fc.oneof({ weight: 3, arbitrary: fc.nat(4) }, fc.nat(IDS)),
      fc.boolean(),
      run,
    ),
    {
      numRuns: 60,
      interruptAfterTimeLimit: 20_000,
    },
  );
});

async function run(steps: Step[], count: number, hasReadAll: boolean): Promise<void> {
  const service = new Service(count);
  const consumer = new Consumer(service);
  if (hasReadAll) await consumer.take(count);
  for (const step of steps) {
    if (step.do === 'set') service.set(step.id, step.name, step.value);
    else if (step.do === 'remove') service.remove(step.id);
    else if (step.do === 'fail') service.failNext(step.status);
    else if (step.do === 'notify') consumer.notify(`b${step.id}`);
    else if (step.do === 'kill') await consumer.restart(step.saved);
    else await consumer.take(step.count);
  }
  await consumer.takeAll();
  await consumer.leave();
  expect(sorted(consumer.states)).toEqual(sorted(service.states()));
}

/** A service in this process. Its responses arrive in a later turn, so that notifications may arrive first. */
class Service {
  readonly boxes: WireResource[] = [];
  readonly client: TrackingClient;
  requests = 0;
  #failing: number[] = [];

  constructor(count: number) {
    for (let n = 0; n < count; n += 1) this.set(n, 'number', `BOX${n}`);
    this.client = new TrackingClient({
      baseUrl: 'https://service.example/v2',
      apiKey: 'key',
      rateLimit: { windowMs: 20, limits: { default: 100_000 } },
      logger: false,
      validation: 'off',
      fetch: async input => {
        await new Promise(setImmediate);
        return this.#answer(new URL(input instanceof Request ? input.url : input));
      },
    });
  }

  set(n: number, name: string, value: unknown): void {
    const known = this.boxes.find(box => box.id === `b${n}`);
    const attributes = { ...known?.attributes, [name]: value };
    if (known) known.attributes = attributes;
    else this.boxes.unshift({ type: 'container', id: `b${n}`, attributes });
  }

  remove(n: number): void {
    const at = this.boxes.findIndex(box => box.id === `b${n}`);
    if (at >= 0) this.boxes.splice(at, 1);
  }

  failNext(status: number): void {
    this.#failing.push(status);
  }

  states(): States {
    return new Map(this.boxes.map(({ id, attributes = {} }) => [id, attributes]));
  }

  #answer(url: URL): Response {
    this.requests += 1;
    const status = this.#failing.shift();
    // A 404 is sent for an empty list, or for a record that does not exist.
    if (status !== undefined && status !== 404) return reply(status, { errors: [{ title: 'Out of order' }] });
    const wanted = /\/containers\/(.+)$/.exec(url.pathname)?.[1];
    if (wanted !== undefined) {
      const data = this.boxes.find(box => box.id === wanted);
      return data ? reply(200, { data }) : reply(404, { errors: [{ title: 'Not Found' }] });
    }
    if (status === 404 && this.boxes.length === 0) return reply(404, { errors: [{ title: 'Not Found' }] });
    const page = Number(url.searchParams.get('page[number]') ?? 1);
    const data = this.boxes.slice((page - 1) * 100, page * 100);
    const links = page * 100 < this.boxes.length ? { next: 'next' } : {};
    return reply(200, { data, meta: { total: this.boxes.length }, links });
  }
}

function reply(status: number, body: object): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/vnd.api+json' } });
}

/** Applies each item, and stores the item and its position together. */
class Consumer {
  readonly states: States = new Map();
  readonly #service: Service;
  #feed: Feed<Container>;
  #whole: FeedCheckpoint | undefined;
  #parts: FeedCheckpoint[] = [];
  #asked: Promise<IteratorResult<Change<Container>, void>> | undefined;

  constructor(service: Service) {
    this.#service = service;
    this.#feed = service.client.containers.watch({ every: 1 });
  }

  notify(id: string): void {
    const notification = { id: 'n', container: { type: 'container', id } } as unknown as Notification;
    this.#feed.handler(notification).catch(() => {});
  }

  async take(count: number): Promise<void> {
    for (let taken = 0; taken < count; taken += 1) if (!(await this.#next(5))) return;
  }

  /** Reads items until several complete readings have yielded none. */
  async takeAll(): Promise<void> {
    while (await this.#next(12));
  }

  async restart(saved: 'whole' | 'parts'): Promise<void> {
    await this.leave();
    const stored = JSON.stringify(saved === 'whole' ? this.#whole : this.#parts);
    const from = stored === undefined ? undefined : JSON.parse(stored);
    this.#feed = this.#service.client.containers.watch({ every: 1, from });
    if (saved === 'whole' && this.#whole) this.#parts = [this.#whole];
  }

  /** An item that was requested but not received is lost, as if the process had ended. */
  async leave(): Promise<void> {
    const asked = this.#asked;
    this.#asked = undefined;
    await this.#feed.return();
    const late = await asked;
    if (late && !late.done) this.#apply(late.value);
  }

  /** True if an item was yielded before this number of further requests. */
  async #next(requests: number): Promise<boolean> {
    const last = this.#service.requests + requests;
    this.#asked ??= this.#feed.next();
    let isThere = false;
    const asked = this.#asked.finally(() => {
      isThere = true;
    });
    asked.catch(() => {});
    while (!isThere && this.#service.requests < last) await new Promise(setImmediate);
    if (!isThere) return false;
    this.#asked = undefined;
    const { value, done } = await asked;
    if (done) throw new Error('The feed has ended.');
    this.#apply(value);
    return true;
  }

  /** Each item must fit the states that result from the items before it. */
  #apply(item: Change<Container>): void {
    this.#parts.push(JSON.parse(JSON.stringify(item.checkpoint)));
    this.#whole = JSON.parse(JSON.stringify(this.#feed.checkpoint));
    if (item.kind === 'unread') return;
    const known = this.states.get(item.id);
    if (item.kind === 'appeared') {
      if (known) throw new Error(`${item.id} appeared twice`);
      const { id: _id, type: _type, ...fields } = item.record;
      this.states.set(item.id, JSON.parse(JSON.stringify(fields)));
      return;
    }
    if (!known) throw new Error(`${item.id} was not known`);
    if (item.kind === 'gone') {
      this.states.delete(item.id);
      return;
    }
    const { field, before, after } = item;
    const current = Object.hasOwn(known, field) ? known[field] : undefined;
    if (!isSame(current, before)) throw new Error(`${item.id} ${field} was not ${JSON.stringify(before)}`);
    if (isSame(before, after)) throw new Error(`${item.id} ${field} has not changed`);
    known[field] = after;
  }
}

/** The states as JSON, without fields that are `null`. */
function sorted(states: States): [string, [string, unknown][]][] {
  return [...states]
    .map(([id, fields]): [string, [string, unknown][]] => [
      id,
      Object.entries(fields)
        .filter(([, value]) => value != null)
        .map(([name, value]): [string, unknown] => [name, JSON.parse(JSON.stringify(value))])
        .sort(([a], [b]) => (a < b ? -1 : 1)),
    ])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
