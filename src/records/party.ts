import type { ResourceRecord } from './resource-record.ts';

/** A customer of yours. A tracking request can name the party that it is made for. */
export interface Party extends ResourceRecord<'party'>, PartyAttributes {}

/** The fields of a party. */
export interface PartyAttributes {
  /** Name of the customer, unique in the account. */
  company_name: string;
}

/** A party to create. */
export interface PartyCreate {
  /** Name of the customer, unique in the account. */
  company_name: string;
}

/** What `parties.update` can change. */
export interface PartyUpdate {
  /** New name of the customer, unique in the account. */
  company_name: string;
}
