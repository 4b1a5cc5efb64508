/** Base64 of the MD5, as storages compare it; `null` where the runtime has none, so that it cannot be checked. */
export function md5(bytes: Uint8Array): string | null {
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto');
  return crypto?.createHash('md5').update(bytes).digest('base64') ?? null;
}
