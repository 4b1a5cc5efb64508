import { ConfigurationError, WebhookVerificationError } from '../errors.ts';

/** How a signature is made and written. SPEC.md leaves it open: the defaults are those of api/webhooks.md section 3. */
export interface SignatureOptions {
  /** The hash of the HMAC, by its WebCrypto name. @default 'SHA-256' */
  algorithm?: 'SHA-256' | 'SHA-384' | 'SHA-512' | undefined;
  /** `hex` is lower case. @default 'hex' */
  encoding?: 'hex' | 'base64' | undefined;
  /** What must stand before the digest, such as `sha256=`. @default '' */
  prefix?: string | undefined;
}

export interface SignatureFormat {
  algorithm: string;
  encoding: 'hex' | 'base64';
  prefix: string;
  /** Length of the digest. */
  bytes: number;
}

const SPELLING = { hex: /^[0-9a-f]*$/, base64: /^[0-9A-Za-z+/]*={0,2}$/ };

/** @throws {ConfigurationError} for an algorithm or an encoding that does not exist. */
export function signatureFormat(options: SignatureOptions): SignatureFormat {
  const { algorithm = 'SHA-256', encoding = 'hex', prefix = '' } = options;
  if (!/^SHA-(256|384|512)$/.test(algorithm) || !Object.hasOwn(SPELLING, encoding)) {
    throw new ConfigurationError(`A signature cannot be ${algorithm} in ${encoding}.`);
  }
  return { algorithm, encoding, prefix, bytes: Number(algorithm.slice(4)) / 8 };
}

/**
 * The digest that a header holds: one value, of the exact length, and nothing around it.
 *
 * @throws {WebhookVerificationError} `missing_signature` or `malformed_signature`.
 */
export function parseSignature(signature: unknown, format: SignatureFormat): Uint8Array<ArrayBuffer> {
  const { algorithm, encoding, prefix, bytes } = format;
  if (signature === undefined || signature === null || signature === '') {
    throw new WebhookVerificationError('missing_signature', 'The delivery has no signature.');
  }
  if (typeof signature === 'string' && signature.startsWith(prefix)) {
    const text = signature.slice(prefix.length);
    const length = encoding === 'hex' ? bytes * 2 : Math.ceil(bytes / 3) * 4;
    if (text.length === length && SPELLING[encoding].test(text)) {
      const digest = encoding === 'hex' ? fromHex(text) : fromBase64(text);
      if (digest.length === bytes) return digest;
    }
  }
  throw new WebhookVerificationError(
    'malformed_signature',
    `The signature is not one ${algorithm} digest in ${encoding}.`,
  );
}

/** The digest of a body, as a header holds it. */
export async function sign(body: Uint8Array<ArrayBuffer>, secret: string, format: SignatureFormat): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.sign('HMAC', await importKey(secret, format.algorithm), body));
  return format.prefix + (format.encoding === 'hex' ? toHex(digest) : btoa(String.fromCharCode(...digest)));
}

/**
 * Whether one of the secrets gives this digest. WebCrypto compares in constant time, and all secrets are tried, so that
 * the time does not tell which one it was.
 */
export async function matches(
  digest: Uint8Array<ArrayBuffer>,
  body: Uint8Array<ArrayBuffer>,
  secrets: string[],
  algorithm: string,
): Promise<boolean> {
  let matched = false;
  for (const secret of secrets) {
    const key = keys.get(nameOf(secret, algorithm)) ?? (await importKey(secret, algorithm));
    if (await crypto.subtle.verify('HMAC', key, digest, body)) matched = true;
  }
  return matched;
}

/** Importing a key costs as much as using it, and few are in use at a time. */
const keys = new Map<string, CryptoKey>();
const MAX_KEYS = 16;

function nameOf(secret: string, algorithm: string): string {
  return `${algorithm} ${secret}`;
}

async function importKey(secret: string, algorithm: string): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(secret);
  const hmac = { name: 'HMAC', hash: algorithm };
  const key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['sign', 'verify']);
  if (keys.size >= MAX_KEYS) keys.clear();
  keys.set(nameOf(secret, algorithm), key);
  return key;
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length / 2);
  for (let index = 0; index < bytes.length; index++)
    bytes[index] = Number.parseInt(text.slice(index * 2, index * 2 + 2), 16);
  return bytes;
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let index = 0; index < bytes.length; index++) bytes[index] = binary.charCodeAt(index);
  return bytes;
}
