import * as s from '../schema/build.ts';

/** Arguments that several tools have. */

/** No number, code or reference is longer. The service fails on longer ones, so they are not sent. */
const MAX_TEXT = 200;

/** A text that goes to the service. */
export const shortText = () => s.string({ maxLength: MAX_TEXT });

/** A caller's note on why it calls. It stays here. */
export const intent = () => s.optional(shortText().describe('Why you call, in a few words. It is not passed on.'));

export const id = (of: string) => s.uuid().describe(`Id of the ${of}, a UUID. search_container finds it.`);

/** Of more rows than any account has, the service fails to count the first. */
const MAX_PAGE = 1_000_000;

export const page = () => s.optional(s.positive({ maximum: MAX_PAGE }).describe('The page, from 1.'));

export const pageSize = () => s.optional(s.positive().describe('Rows on a page: 25 unless given, at most 100.'));

/** Filters that are part of the tool's interface and that the service does not have. */
export const droppedFilters = () => {
  const ignored = (what: string) =>
    s.optional(shortText().describe(`${what}. The service cannot filter by it: the answer names it as dropped.`));
  return {
    status: ignored('Status'),
    port: ignored('Port'),
    carrier: ignored('Carrier'),
    updated_after: ignored('Time of the last change'),
  };
};
