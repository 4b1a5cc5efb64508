/** The part of Node that is used, if there is one: the page of the sandbox is checked without the types of Node. */
interface Runtime {
  process?: { getBuiltinModule?(name: 'node:crypto'): { createHash(name: 'md5'): Hash } };
}

interface Hash {
  update(bytes: Uint8Array): Hash;
  digest(encoding: 'base64'): string;
}

/** The MD5 in Base64, as in the header `Content-MD5`. `null` in a runtime without MD5: nothing can be checked there. */
export function md5(bytes: Uint8Array): string | null {
  const { process }: typeof globalThis & Runtime = globalThis;
  const crypto = process?.getBuiltinModule?.('node:crypto');
  return crypto?.createHash('md5').update(bytes).digest('base64') ?? null;
}
