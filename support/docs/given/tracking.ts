/** The names that the page about tracking uses and does not declare. */
import { client } from '../given.ts';

export const orders: { number: string; scac: string }[] = [
  { number: 'MSCU1234566', scac: 'MSCU' },
  { number: 'no such container', scac: 'MSCU' },
];

let stored: string | undefined;

export async function saveRequestId(requestId: string): Promise<void> {
  stored = requestId;
}

export async function loadRequestId(): Promise<string> {
  if (stored) return stored;
  const { data } = await client.trackingRequests.list({ filter: { request_number: 'MAEU123456789' } });
  return data[0]?.id ?? '';
}
