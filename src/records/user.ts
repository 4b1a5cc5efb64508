import type { LinkedRecord } from '../jsonapi/include.ts';

/** A person of the account. No attribute is documented (api/resources.md, user). */
export type User = LinkedRecord<'user', []>;

export type UserAttributes = object;
