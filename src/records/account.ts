import type { LinkedRecord } from '../jsonapi/include.ts';

/** The account that the API key belongs to; comes as an included record only (api/resources.md, account). */
export type Account = LinkedRecord<'account', []>;

export interface AccountAttributes {
  company_name: string;
}
