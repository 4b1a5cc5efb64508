/** An error body longer than this is not worth the wait, and not worth keeping: 1 MiB. */
const MAX_ERROR_BYTES = 1_048_576;

/**
 * Reads the body of an answer that failed, up to 1 MiB. Read to its end, the connection can be used again; what is
 * longer is cancelled, which closes the connection.
 */
export async function readErrorText(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    text += decoder.decode(value, { stream: true });
    if (bytes > MAX_ERROR_BYTES) {
      await reader.cancel().catch(() => {});
      return text;
    }
  }
}
