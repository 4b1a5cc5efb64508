import type { ResourceRecord } from './resource-record.ts';

/** A person of the account. The service documents no attribute: read others with `attribute()`. */
export interface User extends ResourceRecord<'user'>, UserAttributes {}

/** The fields of a user: none is documented. */
export type UserAttributes = object;
