/** Reads the bytes of a request. Stops and returns `undefined` if there are more than `maxBytes`. */
export async function readBody(request: Request, maxBytes: number): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (Number(request.headers.get('content-length')) > maxBytes) return undefined;
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const chunk of chunksOf(request)) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** Not every browser can iterate over a stream, and `body` of a request is missing in Firefox. */
async function* chunksOf(request: Request): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  if (request.body === undefined) yield new Uint8Array(await request.arrayBuffer());
  const reader = request.body?.getReader();
  if (!reader) return;
  try {
    for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
  } finally {
    await reader.cancel();
  }
}
