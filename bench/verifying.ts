import { type Contender, compare, type Ratio, takeTurns } from '../support/benchmarks/measure.ts';
import { fixture } from './fixtures.ts';
import { load, ours } from './packages.ts';

/** Number of deliveries in a turn. It is small, since the cost of waking a thread of WebCrypto varies from second to second. */
const DELIVERIES = 10;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLwSw';
const BYTES = 'verifyWebhook (verify, check, parse, link)';
const TEXT = 'verifyWebhook of a text';
const WITHOUT_NODE = 'verifyWebhook where there is no node:crypto';
/** Upper bounds, as multiples of the fastest verifier on `node:crypto` and of bare WebCrypto. */
const LIMITS = { [BYTES]: 1.5, [TEXT]: 1.5 };
const WEB_LIMITS = { [WITHOUT_NODE]: 1.25 };

/**
 * The cost of reading a delivery of about 6 kB, compared with only its digest and `JSON.parse`. The other packages do
 * not link or check the payload.
 */
export async function verifying(): Promise<Ratio[]> {
  const body = payload();
  const byNode = [
    await octokit(body),
    ...(await own(body)),
    { name: 'verifyWebhook, the second of two secrets', read: await ownRead(body, ['another', SECRET]) },
    ...(await others(body)),
  ].map(turn);
  const byWebCrypto = [await bareWebCrypto(body), await withoutNode(body)].map(turn);
  const turns = await takeTurns([...byNode, ...byWebCrypto], 1000, { collect: false });
  const times = turns.map(turn => turn.map(ms => ms / DELIVERIES));
  const group = `delivery of ${(body.length / 1000).toFixed(0)} kB`;
  return [
    ...compare(group, byNode, times.slice(0, byNode.length), { limits: LIMITS }),
    ...compare(group, byWebCrypto, times.slice(byNode.length), { limits: WEB_LIMITS }),
  ];
}

interface Reader {
  name: string;
  read: () => unknown;
}

async function octokit(body: string): Promise<Reader> {
  const { verify } = await load<{ verify(secret: string, body: string, signature: string): Promise<boolean> }>(
    '@octokit/webhooks-methods',
  );
  const signature = `sha256=${await signed(body)}`;
  return {
    name: '@octokit/webhooks-methods verify, JSON.parse',
    async read() {
      if (!(await verify(SECRET, body, signature))) throw new Error('refused');
      return JSON.parse(body);
    },
  };
}

async function own(body: string): Promise<Reader[]> {
  const bytes = new TextEncoder().encode(body);
  return [
    { name: BYTES, read: await ownRead(bytes, SECRET) },
    { name: TEXT, read: await ownRead(body, SECRET) },
  ];
}

async function ownRead(body: string | Uint8Array, secrets: string | string[]): Promise<() => unknown> {
  const { verifyWebhook } = await webhooks();
  const signature = await signed(body);
  return () => verifyWebhook({ body, signature, secrets });
}

/** A reader in a runtime without `node:crypto`. */
async function withoutNode(body: string): Promise<Reader> {
  const read = await ownRead(new TextEncoder().encode(body), SECRET);
  const { getBuiltinModule } = process;
  return {
    name: WITHOUT_NODE,
    async read() {
      process.getBuiltinModule = (() => undefined) as unknown as typeof getBuiltinModule;
      await read();
      process.getBuiltinModule = getBuiltinModule;
    },
  };
}

async function bareWebCrypto(body: string): Promise<Reader> {
  const bytes = new TextEncoder().encode(body);
  const digest = Uint8Array.from(Buffer.from(await signed(body), 'hex'));
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(SECRET), hmac, false, ['verify']);
  const decoder = new TextDecoder();
  return {
    name: 'WebCrypto verify, JSON.parse',
    async read() {
      if (!(await crypto.subtle.verify('HMAC', key, digest, bytes))) throw new Error('refused');
      return JSON.parse(decoder.decode(bytes));
    },
  };
}

async function others(body: string): Promise<Reader[]> {
  const { default: Stripe } = await load<{ default: Stripe }>('stripe');
  const svix = await load<{ Webhook: Signed }>('svix');
  const standardwebhooks = await load<{ Webhook: Signed }>('standardwebhooks');
  const stripe = new Stripe('sk_test_unused').webhooks;
  const stripeHeader = stripe.generateTestHeaderString({ payload: body, secret: SECRET });
  const [id, sentAt] = ['msg_1', new Date()];
  const headers = (prefix: string, webhook: InstanceType<Signed>) => ({
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: String(Math.floor(sentAt.getTime() / 1000)),
    [`${prefix}-signature`]: webhook.sign(id, sentAt, body),
  });
  const svixWebhook = new svix.Webhook(SECRET);
  const svixHeaders = headers('svix', svixWebhook);
  const standardWebhook = new standardwebhooks.Webhook(SECRET);
  const standardHeaders = headers('webhook', standardWebhook);
  return [
    { name: 'stripe constructEvent', read: () => stripe.constructEvent(body, stripeHeader, SECRET, 1e6) },
    {
      name: 'stripe constructEventAsync',
      read: () => stripe.constructEventAsync(body, stripeHeader, SECRET, 1e6),
    },
    { name: 'svix verify', read: () => svixWebhook.verify(body, svixHeaders) },
    { name: 'standardwebhooks verify', read: () => standardWebhook.verify(body, standardHeaders) },
  ];
}

type Stripe = new (
  key: string,
) => {
  webhooks: {
    generateTestHeaderString(options: object): string;
    constructEvent(...delivery: unknown[]): unknown;
    constructEventAsync(...delivery: unknown[]): Promise<unknown>;
  };
};
type Signed = new (
  secret: string,
) => {
  sign(id: string, sentAt: Date, body: string): string;
  verify(body: string, headers: Record<string, string>): unknown;
};

const webhooks = () => ours<typeof import('container-tracking-sdk/webhooks')>('webhooks');

async function signed(body: string | Uint8Array): Promise<string> {
  return (await webhooks()).signWebhook({ body, secret: SECRET });
}

function turn({ name, read }: Reader): Contender {
  return {
    name,
    run: async () => {
      for (let delivery = 0; delivery < DELIVERIES; delivery += 1) await read();
    },
  };
}

/** Of the samples in compact JSON, the sample whose size is closest to 6 kB. */
function payload(): string {
  const samples = JSON.parse(fixture('webhooks.deliveries.json')) as Record<string, unknown>;
  const distance = (text: string) => Math.abs(text.length - 6000);
  const texts = Object.values(samples).map(sample => JSON.stringify(sample));
  return texts.reduce((best, text) => (distance(text) < distance(best) ? text : best));
}
