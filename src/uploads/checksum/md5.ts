import { builtin } from '../../internal/runtime.ts';
import { createPlainMd5 } from './plain-md5.ts';

export interface Md5 {
  update(bytes: Uint8Array<ArrayBuffer>): unknown;
  digest(): Uint8Array | Promise<Uint8Array>;
}

/** An addition of workerd to WebCrypto: a writable stream that computes the digest of its bytes. */
interface DigestStream extends WritableStream<Uint8Array> {
  readonly digest: Promise<ArrayBuffer>;
}

/** The fastest MD5 that this runtime has. */
export function createMd5(): Md5 {
  return nodeMd5() ?? workerdMd5() ?? createPlainMd5();
}

function nodeMd5(): Md5 | undefined {
  try {
    const hash = builtin('node:crypto')?.createHash('md5');
    return hash && { update: bytes => hash.update(bytes), digest: () => hash.digest() };
  } catch {
    // Node.js in FIPS mode has no MD5.
    return undefined;
  }
}

function workerdMd5(): Md5 | undefined {
  const { DigestStream } = globalThis.crypto as { DigestStream?: new (algorithm: string) => DigestStream };
  if (!DigestStream) return undefined;
  const stream = new DigestStream('MD5');
  const writer = stream.getWriter();
  return {
    update: bytes => writer.write(bytes),
    async digest() {
      await writer.close();
      return new Uint8Array(await stream.digest);
    },
  };
}
