import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfigurationError } from '../../src/errors.ts';
import { notification as notificationSchema } from '../../src/schemas/index.ts';
import {
  type RawBody,
  signWebhook,
  type VerifyOptions,
  verifyWebhook,
  WebhookVerificationError,
} from '../../src/webhooks/index.ts';
import deliveries from '../../support/samples/webhooks.deliveries.json' with { type: 'json' };

const SECRET = 'sample-signing-secret';
const BODY = JSON.stringify(deliveries['container.updated'], null, 2);
const SIGNATURE = hmac(BODY);

function hmac(body: string | Uint8Array, secret = SECRET, algorithm = 'sha256', encoding: 'hex' | 'base64' = 'hex') {
  return createHmac(algorithm, secret).update(body).digest(encoding);
}

function verify(options: Partial<Record<keyof VerifyOptions, unknown>> = {}) {
  return verifyWebhook({ body: BODY, signature: SIGNATURE, secrets: SECRET, ...options } as VerifyOptions);
}

async function reasonOf(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => undefined,
    error => error,
  );
  if (error === undefined) return 'accepted';
  return error instanceof WebhookVerificationError ? error.reason : String(error);
}

/** A view of a buffer that was transferred, so that the view has lost its bytes. */
function transferred(): Uint8Array {
  const view = new TextEncoder().encode(BODY);
  structuredClone(view, { transfer: [view.buffer] });
  return view;
}

describe.each(['node:crypto', 'WebCrypto'])('verifyWebhook with %s', engine => {
  beforeEach(() => {
    if (engine === 'WebCrypto') vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  test('creates and accepts the signature in the test vector of the reference', async () => {
    const expected = 'eb1d66816593e4abd82054c43856b3e6b74bbde9529ac2cdc0f522b92eafbe5a';
    expect(await signWebhook({ body: '{"data":{"id":"1"}}', secret: SECRET })).toBe(expected);
    expect(await reasonOf(verify({ body: '{"data":{"id":"1"}}', signature: expected }))).toBe('bad_payload');
  });

  describe('accepts bytes', () => {
    const bytes = new TextEncoder().encode(BODY);
    const padded = new Uint8Array([1, 2, 3, ...bytes, 4]);
    const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
    shared.set(bytes);

    test.each<[string, RawBody]>([
      ['string', BODY],
      ['Uint8Array', bytes],
      ['Buffer', Buffer.from(BODY)],
      ['Uint8Array at an offset', padded.subarray(3, 3 + bytes.length)],
      ['DataView', new DataView(padded.buffer, 3, bytes.length)],
      ['ArrayBuffer', bytes.buffer],
      ['Uint8Array on shared memory', shared],
      ['ArrayBuffer of another realm', runInNewContext(`new Uint8Array([${bytes}]).buffer`)],
    ])('as %s', async (_, body) => {
      expect((await verify({ body })).event).toBe('container.updated');
      expect(await signWebhook({ body, secret: SECRET })).toBe(SIGNATURE);
    });

    test('that change after the call, and verifies the bytes as they were at the call', async () => {
      const body = Buffer.from(BODY);
      const promise = verify({ body });
      body.fill(0);
      expect((await promise).event).toBe('container.updated');
    });

    test('that change while the secrets are fetched, and verifies the bytes as they were at the call', async () => {
      const body = Buffer.from(BODY);
      const secrets = async () => {
        body.fill(0);
        return SECRET;
      };
      expect((await verify({ body, secrets })).event).toBe('container.updated');
    });

    test('that another thread changes after the digest, and returns the verified bytes', async () => {
      const overwrite = () => void shared.fill(0x20);
      const subtle = crypto.subtle.verify.bind(crypto.subtle);
      vi.spyOn(crypto.subtle, 'verify').mockImplementation((...args) => subtle(...args).finally(overwrite));
      const node = engine === 'node:crypto' && {
        createHmac,
        timingSafeEqual(one: Uint8Array, other: Uint8Array) {
          overwrite();
          return timingSafeEqual(one, other);
        },
      };
      vi.spyOn(process, 'getBuiltinModule').mockReturnValue((node || undefined) as never);
      expect((await verify({ body: shared })).event).toBe('container.updated');
      expect(shared.every(byte => byte === 0x20)).toBe(true);
    });
  });

  test('makes the digest with this engine', async () => {
    const made = vi.spyOn(crypto.subtle, 'verify');
    await verify();
    expect(made).toHaveBeenCalledTimes(engine === 'WebCrypto' ? 1 : 0);
  });

  describe('refuses a signature', () => {
    const fullWidth = SIGNATURE.replace(/[0-9]/g, digit => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
    test.each<[string, unknown, string]>([
      ['undefined', undefined, 'missing_signature'],
      ['null', null, 'missing_signature'],
      ['empty', '', 'missing_signature'],
      ['blank', ' '.repeat(64), 'malformed_signature'],
      ['an array with the right one', [SIGNATURE], 'malformed_signature'],
      ['an empty array', [], 'malformed_signature'],
      ['bytes', Buffer.from(SIGNATURE, 'hex'), 'malformed_signature'],
      ['an object that prints it', { toString: () => SIGNATURE }, 'malformed_signature'],
      ['a number', 5, 'malformed_signature'],
      ['two values joined', `${SIGNATURE}, ${SIGNATURE}`, 'malformed_signature'],
      ['two values joined without a space', `${SIGNATURE},${SIGNATURE}`, 'malformed_signature'],
      ['truncated', SIGNATURE.slice(0, 62), 'malformed_signature'],
      ['of odd length', SIGNATURE.slice(0, 63), 'malformed_signature'],
      ['longer', `${SIGNATURE}00`, 'malformed_signature'],
      ['longer by half a byte', `${SIGNATURE}0`, 'malformed_signature'],
      ['twice in a row', SIGNATURE + SIGNATURE, 'malformed_signature'],
      ['endless', '0'.repeat(50_000_000), 'malformed_signature'],
      ['with junk before', `x${SIGNATURE}`, 'malformed_signature'],
      ['with junk behind', `${SIGNATURE}x`, 'malformed_signature'],
      ['with junk instead of the end', `${SIGNATURE.slice(0, 62)}zz`, 'malformed_signature'],
      ['with junk inside', `${SIGNATURE.slice(0, 30)}-${SIGNATURE.slice(31)}`, 'malformed_signature'],
      ['with a leading space', ` ${SIGNATURE}`, 'malformed_signature'],
      ['with a trailing line feed', `${SIGNATURE}\n`, 'malformed_signature'],
      ['with a space inside', `${SIGNATURE.slice(0, 32)} ${SIGNATURE.slice(32)}`, 'malformed_signature'],
      ['with a prefix', `sha256=${SIGNATURE}`, 'malformed_signature'],
      ['in full-width digits', fullWidth, 'malformed_signature'],
      ['in upper case', SIGNATURE.toUpperCase(), 'malformed_signature'],
      ['hexadecimal with a sign', `+${SIGNATURE.slice(1)}`, 'malformed_signature'],
      ['SHA-1', hmac(BODY, SECRET, 'sha1'), 'malformed_signature'],
      ['SHA-512', hmac(BODY, SECRET, 'sha512'), 'malformed_signature'],
      ['Base64', hmac(BODY, SECRET, 'sha256', 'base64'), 'malformed_signature'],
      ['with another secret', hmac(BODY, 'another'), 'mismatch'],
      ['of an empty secret', hmac(BODY, ''), 'mismatch'],
      ['of the secret with a line feed', hmac(BODY, `${SECRET}\n`), 'mismatch'],
      ['a plain hash', createHash('sha256').update(BODY).digest('hex'), 'mismatch'],
      ['zeros', '0'.repeat(64), 'mismatch'],
      ['off by one digit', SIGNATURE.replace(/.$/, last => (last === '0' ? '1' : '0')), 'mismatch'],
    ])('%s', async (_, signature, reason) => {
      expect(await reasonOf(verify({ signature }))).toBe(reason);
    });
  });

  describe('refuses a body that differs from the signed body', () => {
    const { data, included } = deliveries['container.updated'];
    test.each<[string, RawBody]>([
      ['another', JSON.stringify(deliveries['tracking_request.succeeded'])],
      ['parsed and written again', JSON.stringify(JSON.parse(BODY))],
      ['with its keys in another order', JSON.stringify({ included, data }, null, 2)],
      ['with other line ends', BODY.replaceAll('\n', '\r\n')],
      ['with a byte order mark', `\ufeff${BODY}`],
      ['with a trailing line feed', `${BODY}\n`],
      ['truncated', BODY.slice(0, -1)],
      ['empty', ''],
      ['no bytes', new Uint8Array()],
      ['bytes with the same text when read carelessly', Buffer.concat([Buffer.from(BODY), Buffer.from([0xff])])],
    ])('%s', async (_, body) => {
      expect(await reasonOf(verify({ body }))).toBe('mismatch');
    });

    test('even if both bodies decode to the same text', async () => {
      const one = Buffer.from('{"a":"\xff"}', 'latin1');
      const other = Buffer.from('{"a":"\xfe"}', 'latin1');
      expect(one.toString()).toBe(other.toString());
      expect(await reasonOf(verify({ body: one, signature: hmac(other) }))).toBe('mismatch');
    });
  });

  describe('a body that was parsed before', () => {
    test.each<[string, unknown]>([
      ['a parsed object', deliveries['container.updated']],
      ['an array', [1, 2, 3]],
      ['the empty object of express.json()', {}],
      ['undefined', undefined],
      ['null', null],
      ['a number', 5],
      ['a Blob', new Blob([BODY])],
      ['a buffer that was transferred', transferred().buffer],
      ['a view of one', transferred()],
    ])('is recognised: %s', async (_, body) => {
      const error = await verify({ body }).catch(error => error);
      expect(error).toBeInstanceOf(WebhookVerificationError);
      expect(error.reason).toBe('not_raw');
      expect(error.message).toMatch(/express\.json.*receiver\.fastify.*bodyParser: false.*arrayBuffer/s);
    });
  });

  describe('refuses a signed body that is not a notification', () => {
    const document = (data: unknown) => JSON.stringify({ data });
    const valid = { id: '1', type: 'webhook_notification', attributes: { event: 'container.updated' } };
    test.each<[string, string | Uint8Array]>([
      ['empty', ''],
      ['not JSON', 'event=container.updated'],
      ['cut off', BODY.slice(0, -1)],
      ['invalid UTF-8', Buffer.from('{"a":"\xff"}', 'latin1')],
      ['invalid UTF-8 inside a text', Buffer.from(BODY.replace('"pending"', '"\xff"'), 'latin1')],
      ['UTF-16', Buffer.from(BODY, 'utf16le')],
      ['a literal', 'null'],
      ['an array', '[]'],
      ['without data', '{}'],
      ['with many data', document([valid])],
      ['another resource', document({ ...valid, type: 'container' })],
      ['without an id', document({ ...valid, id: undefined })],
      ['with an empty id', document({ ...valid, id: '' })],
      ['with a number for an id', document({ ...valid, id: 1 })],
      ['without attributes', document({ ...valid, attributes: undefined })],
      ['without an event', document({ ...valid, attributes: {} })],
      ['with an array for an event', document({ ...valid, attributes: { event: ['container.updated'] } })],
      ['100,000 levels deep', '['.repeat(100_000) + ']'.repeat(100_000)],
      ['100,000 levels deep, with a key to drop', `{"__proto__":${'['.repeat(100_000)}${']'.repeat(100_000)}}`],
      ['a bomb of braces', '{"a":'.repeat(100_000)],
    ])('%s', async (_, body) => {
      expect(await reasonOf(verify({ body, signature: hmac(body) }))).toBe('bad_payload');
    });

    test('because it does not fit the schema', async () => {
      const body = document({ ...valid, attributes: { event: 'container.updated', created_at: 5 } });
      const signature = hmac(body);
      expect(await reasonOf(verify({ body, signature }))).toBe('accepted');
      expect(await reasonOf(verify({ body, signature, schema: notificationSchema }))).toBe('bad_payload');
      expect(await reasonOf(verify({ schema: notificationSchema }))).toBe('accepted');
      const safeParse = () => {
        throw new RangeError('Maximum call stack size exceeded');
      };
      expect(await reasonOf(verify({ schema: { safeParse } }))).toBe('bad_payload');
    });
  });

  describe('accepts an unusual signed notification', () => {
    const attributes = { event: 'container.updated', delivery_status: 'pending', created_at: '2026-03-09T03:05:00Z' };
    const wire = (more: object) =>
      JSON.stringify({ data: { id: '1', type: 'webhook_notification', attributes, ...more } });
    const accept = (body: string) => verify({ body, signature: hmac(body) });

    test('with a byte order mark', async () => {
      expect((await accept(`\ufeff${BODY}`)).event).toBe('container.updated');
    });

    test('with 100,000 levels inside an attribute', async () => {
      const deep = '['.repeat(100_000) + ']'.repeat(100_000);
      const n = await accept(wire({}).replace('"pending"', deep));
      expect(n.id).toBe('1');
    });

    test.each(['{"__proto__":{"polluted":true},', '{"\\u005f_proto__":{"polluted":true},'])(
      'with a key that names the prototype: %s',
      async start => {
        const n = await accept(wire({}).replace('"attributes":{', `"attributes":${start}`));
        expect(n).not.toHaveProperty('polluted');
        expect({}).not.toHaveProperty('polluted');
        expect(Object.getPrototypeOf(n)).toBe(Object.prototype);
      },
    );

    test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])('about an event named %s', async event => {
      const n = await accept(wire({ attributes: { ...attributes, event } }));
      expect(n.event).toBe(event);
    });

    test.each<[string, object]>([
      ['null in included', { included: [null, 5, 'x', {}] }],
      ['included that is not a list', { included: { id: 1 } }],
      ['null for included', { included: null }],
      ['relationships that are a text', { data: { ...JSON.parse(wire({})).data, relationships: 'none' } }],
      [
        'a relationship that is null',
        { data: { ...JSON.parse(wire({})).data, relationships: { reference_object: null } } },
      ],
      [
        'a subject that is null',
        { data: { ...JSON.parse(wire({})).data, relationships: { reference_object: { data: null } } } },
      ],
    ])('with %s', async (_, more) => {
      const n = await accept(JSON.stringify({ ...JSON.parse(wire({})), ...more }));
      expect(n.id).toBe('1');
      expect(n.included).toEqual([]);
    });
  });

  test.each([undefined, null, {}])('reports a missing secret for the arguments %s', async options => {
    await expect(verifyWebhook(options as unknown as VerifyOptions)).rejects.toThrow(ConfigurationError);
  });

  describe('secrets', () => {
    test.each<[string, unknown]>([
      ['undefined', undefined],
      ['null', null],
      ['empty', ''],
      ['blank', ' \n'],
      ['a missing variable converted to text', 'undefined'],
      ['null converted to text', 'null'],
      ['an empty list', []],
      ['a list with an empty secret', ['']],
      ['a list with a missing secret', [SECRET, undefined]],
      ['a number', 5],
      ['from a function without a secret', () => undefined],
      ['from an asynchronous function', async () => ['']],
    ])('that are invalid fail with a ConfigurationError: %s', async (_, secrets) => {
      await expect(verify({ secrets })).rejects.toBeInstanceOf(ConfigurationError);
      if (typeof secrets !== 'function') {
        await expect(verify({ secrets, signature: undefined })).rejects.toBeInstanceOf(ConfigurationError);
        await expect(signWebhook({ body: BODY, secret: secrets as string })).rejects.toBeInstanceOf(ConfigurationError);
      }
    });

    test.each<[string, unknown]>([
      ['the first', [SECRET, 'other']],
      ['the last', ['other', SECRET]],
      ['from a function', () => SECRET],
      ['from an asynchronous function', async () => ['other', SECRET]],
      ['one of more than the cache holds', [...Array.from({ length: 40 }, (_, index) => `other ${index}`), SECRET]],
    ])('accept a signature that was made with one of several secrets: %s', async (_, secrets) => {
      expect(await reasonOf(verify({ secrets }))).toBe('accepted');
    });

    test('are not fetched for a request that cannot be a delivery', async () => {
      let fetched = 0;
      const secrets = () => {
        fetched += 1;
        return SECRET;
      };
      await reasonOf(verify({ secrets, signature: 'x' }));
      await reasonOf(verify({ secrets, body: {} }));
      expect(fetched).toBe(0);
    });

    test.each<[string, VerifyOptions['secrets']]>([
      ['Set secrets: the webhook secret is missing or empty.', process.env.NOT_SET_ANYWHERE],
      ['Set secrets: the webhook secret is missing or empty.', () => undefined],
      ['Set secrets: the webhook secret is missing or empty.', []],
      ['Set secrets[1]: the webhook secret is missing or empty.', [SECRET, process.env.NOT_SET_ANYWHERE]],
      // biome-ignore lint/suspicious/noSparseArray: a hole is not a secret.
      ['Set secrets[0]: the webhook secret is missing or empty.', [, SECRET]],
    ])('that are missing fail with "%s"', async (message, secrets) => {
      await expect(verify({ secrets })).rejects.toThrow(message);
    });

    test('never appear in an error', async () => {
      const error = await verify({ signature: hmac('other') }).catch(error => error);
      const mistake = await verify({ secrets: [SECRET, ''] }).catch(error => error);
      expect(`${error.stack}${JSON.stringify(error)}${mistake.stack}${JSON.stringify(mistake)}`).not.toContain(SECRET);
    });
  });

  describe('another format', () => {
    test.each([
      ['SHA-256', 'base64', 'sha256'],
      ['SHA-384', 'base64', 'sha384'],
      ['SHA-512', 'hex', 'sha512'],
      ['SHA-512', 'base64', 'sha512'],
    ] as const)('is created and accepted: %s in %s', async (algorithm, encoding, node) => {
      const signature = `v1=${hmac(BODY, SECRET, node, encoding)}`;
      const format = { algorithm, encoding, prefix: 'v1=' };
      expect(await signWebhook({ body: BODY, secret: SECRET, ...format })).toBe(signature);
      expect(await reasonOf(verify({ signature, ...format }))).toBe('accepted');
      expect(await reasonOf(verify({ signature: signature.slice(3), ...format }))).toBe('malformed_signature');
      expect(await reasonOf(verify({ signature: `${signature}=`, ...format }))).toBe('malformed_signature');
      expect(await reasonOf(verify({ signature: signature.slice(0, -1), ...format }))).toBe('malformed_signature');
      expect(await reasonOf(verify({ signature: signature.slice(0, -4), ...format }))).toBe('malformed_signature');
      expect(await reasonOf(verify({ body: `${BODY} `, signature, ...format }))).toBe('mismatch');
    });

    test('is not confused with the default format of the same secret', async () => {
      for (const algorithm of ['SHA-256', 'SHA-512', 'SHA-256', 'SHA-512'] as const) {
        const signature = hmac(BODY, 'shared', algorithm === 'SHA-256' ? 'sha256' : 'sha512');
        expect(await reasonOf(verify({ signature, secrets: 'shared', algorithm }))).toBe('accepted');
      }
    });

    test('that does not exist fails with a ConfigurationError', async () => {
      await expect(verify({ algorithm: 'sha256' })).rejects.toBeInstanceOf(ConfigurationError);
      await expect(verify({ encoding: 'base32' })).rejects.toBeInstanceOf(ConfigurationError);
      await expect(verify({ encoding: 'constructor' })).rejects.toBeInstanceOf(ConfigurationError);
      await expect(verify({ algorithm: 'SHA-1' })).rejects.toBeInstanceOf(ConfigurationError);
    });
  });
});

test('both engines create the same signature', async () => {
  const format = fc.record({
    algorithm: fc.constantFrom('SHA-256', 'SHA-384', 'SHA-512'),
    encoding: fc.constantFrom('hex', 'base64'),
    prefix: fc.constantFrom('', 'v1='),
  });
  const text = fc.string({ unit: 'binary', minLength: 1 });
  const secrets = fc.oneof(text, fc.constantFrom('\ud800', 'ключ', 'x'.repeat(200))).filter(isSecret);
  const bodies = fc.oneof(text, fc.uint8Array({ maxLength: 1000 }));
  await fc.assert(
    fc.asyncProperty(bodies, secrets, format, async (body, secret, format) => {
      const byNode = await signWebhook({ body, secret, ...format });
      const hidden = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
      const byWebCrypto = await signWebhook({ body, secret, ...format }).finally(() => hidden.mockRestore());
      expect(byNode).toBe(byWebCrypto);
    }),
  );
});

function isSecret(text: string): boolean {
  return !['', 'null', 'undefined'].includes(text.trim());
}
