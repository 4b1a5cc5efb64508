import type { ResourceRecord } from './resource-record.ts';

/** The account that the credential belongs to. It comes only as an included record. */
export interface Account extends ResourceRecord<'account'>, AccountAttributes {}

/** The fields of an account. */
export interface AccountAttributes {
  /** Name of the company that the account belongs to. */
  company_name: string;
}
