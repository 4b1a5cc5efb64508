import type { LinkedRecord } from '../jsonapi/include.ts';

/** A customer of yours, to group what is tracked by (SPEC.md, Party). */
export type Party = LinkedRecord<'party', []>;

export interface PartyAttributes {
  company_name: string;
}

export interface PartyCreate {
  company_name: string;
}

/** What `parties.update` can change. */
export interface PartyUpdate {
  company_name: string;
}
