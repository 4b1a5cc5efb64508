/** A queue of a cloud provider. */
export const queue = {
  async send(_message: { id: string; group: string; body: Uint8Array }): Promise<void> {},
};
