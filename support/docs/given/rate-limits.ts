/** The names that the page about rate limits uses and does not declare. */
import { client } from '../given.ts';

export const shipmentIds: string[] = (await client.shipments.list({ pageSize: 3 })).data.map(({ id }) => id);
