/** The bytes of any view or buffer, without a copy; `undefined` for anything else. */
export function bytesOf(value: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer as ArrayBuffer, value.byteOffset, value.byteLength);
  }
  // Not instanceof: a buffer may come from another realm.
  const isBuffer = Object.prototype.toString.call(value) === '[object ArrayBuffer]';
  return isBuffer ? new Uint8Array(value as ArrayBuffer) : undefined;
}
