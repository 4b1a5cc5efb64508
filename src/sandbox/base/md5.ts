/** The MD5 in Base64, as in the header `Content-MD5`. `null` in a runtime without MD5: nothing can be checked there. */
export function md5(bytes: Uint8Array): string | null {
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  return crypto?.createHash('md5').update(bytes).digest('base64') ?? null;
}
