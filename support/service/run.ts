import { TrackingClient } from '../../src/index.ts';
import { EVENT_NAMES } from '../../src/model/generated/event-names.ts';
import { createSandbox, type LoggedRequest } from '../sandbox.ts';
import { type Call, calls } from './calls.ts';
import { createWorld, type World } from './world.ts';

/** The effects of one call of an operation. */
export interface Exchange {
  operation: string;
  /** The methods of the client that were reported to the hooks. */
  methods: string[];
  /** The requests in the log of the sandbox. */
  log: LoggedRequest[];
  status: number | undefined;
  /** Text of the response; `undefined` if it did not come through `fetch`. */
  body: string | undefined;
  /** The result of the method. */
  value: unknown;
  error: unknown;
}

/** Address of a receiver of webhooks. The sandbox sends to it without a network. */
const HOOK = 'https://receiver.example/hook';

/** A sandbox that listens, a client of this sandbox with `validation: 'strict'`, and one record of each kind. */
export async function openWorld() {
  const sandbox = createSandbox({ speed: 0, rateLimit: false, fetch: async () => new Response(null, { status: 204 }) });
  const server = await sandbox.listen();
  const methods: string[] = [];
  const answers: { status: number; body: string }[] = [];
  const client = new TrackingClient({
    baseUrl: server.baseUrl,
    apiKey: 'sandbox',
    rateLimit: false,
    validation: 'strict',
    hooks: { onRequest: ({ operation }) => void methods.push(operation) },
    async fetch(input, init) {
      const response = await fetch(input, init);
      answers.push({ status: response.status, body: await response.clone().text() });
      return response;
    },
  });
  /** Makes a call, and returns its effects. */
  async function exchange(operation: string, call: Call): Promise<Exchange> {
    const before = sandbox.requests.length;
    methods.length = 0;
    answers.length = 0;
    const outcome = await Promise.resolve(call(client, world)).then(
      value => ({ value, error: undefined }),
      (error: unknown) => ({ value: undefined, error }),
    );
    const log = sandbox.requests.slice(before).map(request => ({ ...request }));
    const [answer] = answers;
    const status = answer?.status ?? log.at(-1)?.status ?? undefined;
    return { operation, methods: [...methods], log, status, body: answer?.body, ...outcome };
  }
  const close = () => server.close();
  const world = await createWorld(sandbox, client, HOOK).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return { sandbox, client, world, baseUrl: server.baseUrl, exchange, close };
}

/** Calls every operation once, over a socket, and requests the sample notification of every event. */
export async function runEveryOperation(): Promise<Run> {
  const open = await openWorld();
  try {
    const notifications = new Map<string, Exchange>();
    for (const event of EVENT_NAMES) {
      const ask: Call = client => client.webhookNotifications.examples({ event });
      notifications.set(event, await open.exchange('webhookNotifications.examples', ask));
    }
    const exchanges = new Map<string, Exchange>();
    for (const [name, call] of Object.entries(calls)) exchanges.set(name, await open.exchange(name, call));
    return { world: open.world, exchanges, notifications };
  } finally {
    await open.close();
  }
}

export interface Run {
  world: World;
  /** The exchange of each operation, by its name. */
  exchanges: Map<string, Exchange>;
  /** The exchange about each event, by its name. */
  notifications: Map<string, Exchange>;
}
