import { verify } from '@octokit/webhooks-methods';
import { signWebhook, verifyWebhook } from 'container-tracking-sdk/webhooks';
import * as standardwebhooks from 'standardwebhooks';
import Stripe from 'stripe';
import * as svix from 'svix';
import { fixture } from './fixtures.ts';
import { type Contender, compare, type Ratio, takeTurns } from './measure.ts';

/** Few at a time: what waking a thread of WebCrypto costs changes from one second to the next. */
const DELIVERIES = 10;
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLwSw';

/** What reading a delivery of some 5 kB costs beyond bare WebCrypto and JSON.parse. The others neither link nor check the payload. */
export async function verifying(): Promise<Ratio[]> {
  const body = payload();
  const bytes = new TextEncoder().encode(body);
  const signature = await signWebhook({ body, secret: SECRET });
  const digest = Uint8Array.from(Buffer.from(signature, 'hex'));
  const hmac = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', new TextEncoder().encode(SECRET), hmac, false, ['verify']);
  const decoder = new TextDecoder();

  const stripe = new Stripe('sk_test_unused').webhooks;
  const stripeHeader = stripe.generateTestHeaderString({ payload: body, secret: SECRET });
  const [id, sentAt] = ['msg_1', new Date()];
  const timestamp = String(Math.floor(sentAt.getTime() / 1000));
  const svixWebhook = new svix.Webhook(SECRET);
  const svixHeaders = {
    'svix-id': id,
    'svix-timestamp': timestamp,
    'svix-signature': svixWebhook.sign(id, sentAt, body),
  };
  const standardWebhook = new standardwebhooks.Webhook(SECRET);
  const standardHeaders = {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standardWebhook.sign(id, sentAt, body),
  };

  const contenders: Contender[] = [
    one('WebCrypto verify, JSON.parse', async () => {
      if (!(await crypto.subtle.verify('HMAC', key, digest, bytes))) throw new Error('refused');
      return JSON.parse(decoder.decode(bytes));
    }),
    one('verifyWebhook (verify, check, parse, link)', () => verifyWebhook({ body: bytes, signature, secrets: SECRET })),
    one('stripe constructEventAsync', () => stripe.constructEventAsync(body, stripeHeader, SECRET, 1e6)),
    one('svix verify', () => svixWebhook.verify(body, svixHeaders)),
    one('standardwebhooks verify', () => standardWebhook.verify(body, standardHeaders)),
    one('@octokit/webhooks-methods verify, JSON.parse', async () => {
      if (!(await verify(SECRET, body, `sha256=${signature}`))) throw new Error('refused');
      return JSON.parse(body);
    }),
  ];
  const times = await takeTurns(contenders, 1000, { collect: false });
  return compare(
    `delivery of ${(bytes.length / 1000).toFixed(0)} kB`,
    contenders,
    times.map(time => time / DELIVERIES),
    // 0.8 of the rate.
    { 'verifyWebhook (verify, check, parse, link)': 1.25 },
  );
}

function one(name: string, read: () => unknown): Contender {
  return {
    name,
    run: async () => {
      for (let delivery = 0; delivery < DELIVERIES; delivery += 1) await read();
    },
  };
}

/** The sample whose size is next to 5 kB, without its spaces. */
function payload(): string {
  const samples = JSON.parse(fixture('webhooks.deliveries.json')) as Record<string, unknown>;
  const distance = (text: string) => Math.abs(text.length - 5000);
  const texts = Object.values(samples).map(sample => JSON.stringify(sample));
  return texts.reduce((best, text) => (distance(text) < distance(best) ? text : best));
}
