import * as s from '../schema/build.ts';

/** Arguments that several tools have. */

/** A caller's note on why it calls. It stays here. */
export const intent = () =>
  s.optional(s.string({ maxLength: 200 }).describe('Why you call, in a few words. It is not passed on.'));

export const id = (of: string) => s.uuid().describe(`Id of the ${of}, a UUID. search_container finds it.`);

export const page = () => s.optional(s.positive().describe('The page, from 1.'));

export const pageSize = () => s.optional(s.positive().describe('Rows on a page: 25 unless given, at most 100.'));

/** Filters that are part of the tool's interface and that the service does not have. */
export const droppedFilters = () => {
  const ignored = (what: string) =>
    s.optional(s.string().describe(`${what}. The service cannot filter by it: the answer names it as dropped.`));
  return {
    status: ignored('Status'),
    port: ignored('Port'),
    carrier: ignored('Carrier'),
    updated_after: ignored('Time of the last change'),
  };
};
