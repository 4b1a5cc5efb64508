/** The names that the page about rate limits leaves to its reader. */
import { client } from '../given.ts';

export const shipmentIds: string[] = (await client.shipments.list({ pageSize: 3 })).data.map(({ id }) => id);
