import { ConfigurationError } from '../../errors.ts';
import { builtin } from '../../internal/runtime.ts';
import { WebhookVerificationError } from './verification-error.ts';

/** The format of the service's signatures. Change it only if the service documents other values. */
export interface SignatureOptions {
  /** The hash function of the HMAC. @default 'SHA-256' */
  algorithm?: 'SHA-256' | 'SHA-384' | 'SHA-512' | undefined;
  /** Notation of the digest; `hex` is lower case. @default 'hex' */
  encoding?: 'hex' | 'base64' | undefined;
  /** The text before the digest, such as `sha256=`. @default '' */
  prefix?: string | undefined;
}

type Algorithm = keyof typeof LENGTH;

export interface SignatureFormat {
  algorithm: Algorithm;
  encoding: keyof typeof SPELLING;
  prefix: string;
}

/** Length of the digest, in bytes. */
const LENGTH = { 'SHA-256': 32, 'SHA-384': 48, 'SHA-512': 64 };
/** Keys of WebCrypto, by algorithm and secret: the import of a key takes as long as its use. */
const KEYS = new Map<string, CryptoKey>();
const MAX_KEYS = 16;
/** The forms of a digest of 32 to 64 bytes. Base64 includes the padding. */
const SPELLING = { hex: /^([0-9a-f]{2}){32,64}$/, base64: /^(?=(.{4}){11,22}$)[0-9A-Za-z+/]+={0,2}$/ };

/** @throws {ConfigurationError} for an algorithm or an encoding that does not exist. */
export function signatureFormat(options: SignatureOptions): SignatureFormat {
  const { algorithm = 'SHA-256', encoding = 'hex', prefix = '' } = options;
  if (!Object.hasOwn(LENGTH, algorithm) || !Object.hasOwn(SPELLING, encoding)) {
    throw new ConfigurationError(`The signature format ${algorithm} in ${encoding} does not exist.`);
  }
  return { algorithm, encoding, prefix };
}

/**
 * The digest in the header. The value of the header must be exactly one digest of the right length, after the `prefix`
 * of the format.
 *
 * @throws {WebhookVerificationError} `missing_signature` or `malformed_signature`.
 */
export function parseSignature(signature: unknown, format: SignatureFormat): Uint8Array<ArrayBuffer> {
  const { algorithm, encoding, prefix } = format;
  if (signature === undefined || signature === null || signature === '') {
    throw new WebhookVerificationError('missing_signature', 'The delivery has no signature.');
  }
  if (typeof signature === 'string' && signature.startsWith(prefix)) {
    const text = signature.slice(prefix.length);
    if (SPELLING[encoding].test(text)) {
      const digest = encoding === 'hex' ? fromHex(text) : fromBase64(text);
      if (digest.length === LENGTH[algorithm]) return digest;
    }
  }
  throw new WebhookVerificationError(
    'malformed_signature',
    `The signature must be exactly one ${algorithm} digest in ${encoding}.`,
  );
}

/** The digest of a body, in the form of the header. */
export async function sign(body: Uint8Array<ArrayBuffer>, secret: string, format: SignatureFormat): Promise<string> {
  const digest =
    nodeHmac(body, secret, format.algorithm) ??
    new Uint8Array(await crypto.subtle.sign('HMAC', await webKey(secret, format.algorithm), body));
  return format.prefix + (format.encoding === 'hex' ? toHex(digest) : btoa(String.fromCharCode(...digest)));
}

/** True if the digest was made with the secret. Both implementations compare in constant time. */
export async function matches(
  digest: Uint8Array<ArrayBuffer>,
  body: Uint8Array<ArrayBuffer>,
  secret: string,
  algorithm: Algorithm,
): Promise<boolean> {
  const expected = nodeHmac(body, secret, algorithm);
  if (expected) return nodeCrypto()!.timingSafeEqual(digest, expected);
  return crypto.subtle.verify('HMAC', await webKey(secret, algorithm), digest, body);
}

/** Loaded at the first call, because an import would not work in browsers. */
const nodeCrypto = () => builtin('node:crypto');

/** Uses `node:crypto` if available: WebCrypto uses another thread, and the switch takes longer than the HMAC itself. */
function nodeHmac(body: Uint8Array, secret: string, algorithm: Algorithm): Uint8Array | undefined {
  const hash = `sha${LENGTH[algorithm] * 8}`;
  return nodeCrypto()?.createHmac(hash, secret).update(body).digest();
}

async function webKey(secret: string, algorithm: Algorithm): Promise<CryptoKey> {
  const name = algorithm + secret;
  let key = KEYS.get(name);
  if (!key) {
    const bytes = new TextEncoder().encode(secret);
    const hmac = { name: 'HMAC', hash: algorithm };
    key = await crypto.subtle.importKey('raw', bytes, hmac, false, ['sign', 'verify']);
    if (KEYS.size >= MAX_KEYS) KEYS.clear();
    KEYS.set(name, key);
  }
  return key;
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], pair => Number.parseInt(pair, 16));
}

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0));
}

/** Matches the signature header of any service name, because this package does not know the name. */
export const isSignatureHeader = (name: string): boolean => /^x-.+-webhook-signature$/i.test(name);

/**
 * The name of the header with the signature. Only one header of a delivery may contain a signature.
 *
 * @throws {WebhookVerificationError} `several_signatures` if several headers may contain it.
 */
export function signatureHeader(names: Iterable<string>): string | undefined {
  const found = new Map([...names].filter(isSignatureHeader).map(name => [name.toLowerCase(), name]));
  if (found.size > 1) {
    const all = [...found.values()].join(', ');
    throw new WebhookVerificationError('several_signatures', `Each of ${all} may be the signature.`);
  }
  return found.values().next().value;
}
