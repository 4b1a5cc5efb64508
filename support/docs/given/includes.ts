/** The names that `includes.md` uses, but does not declare. */
import { client } from '../given.ts';

export const isDetailed: boolean = Date.now() > 0;
export const config: { include: string[] } = { include: ['pod_terminal', 'containers'] };
export const requestId: string = (await client.trackingRequests.list({ pageSize: 1 })).data[0]?.id ?? '';
