type Message = { id: string; group: string; body: string };

/** The messages in the queue. */
export const queue: Message[] = [];

export async function sendToQueue(message: Message): Promise<void> {
  queue.push(message);
}
