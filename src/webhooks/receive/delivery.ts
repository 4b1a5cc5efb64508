/** A request, in the form that the receiver needs from every kind of server. */
export interface Delivery {
  method: string | undefined;
  /** The value of a header; the name is in lower case. */
  header(name: string): unknown;
  /** The names of all headers, in any case. */
  names(): Iterable<string>;
  /**
   * The whole body, or why it cannot be read. Stops when the signal is aborted.
   *
   * @throws {WebhookVerificationError} `not_raw` if other code has read the body before.
   */
  read(limit: number, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer> | 'too_large' | 'incomplete'>;
}
