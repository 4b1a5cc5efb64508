import * as z from 'zod/mini';
import { quoted, short, text, visible } from '../../domain/record-values.ts';
import { ToolFailure } from '../failure.ts';
import { count, filledText, textOrNull, UUID } from '../schema.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { markedText } from '../views/read.ts';
import { tableOf, withoutIds } from '../views/rows.ts';

/**
 * The tool that lists customers, and the search for the customer that an argument names. The service calls customers
 * "parties".
 */

/** Upper bound of the customers that are read. No account has so many customers. */
const MAX_CUSTOMERS = 2_000;

const MAX_NAMED = 10;

const USAGE = 'list_containers, list_shipments and summarize_containers take the name or the id as customer.';

export const listParties = defineTool({
  name: 'list_parties',
  title: 'List customers',
  description: 'The customers of the account, by a part of the name.',
  input: () =>
    z.strictObject({
      search: z.optional(filledText(undefined, 100)),
      limit: z.optional(count('Default: 25', 50)),
    }),
  output: () =>
    z.object({
      total_matched: z.optional(z.number()),
      parties: z.array(z.object({ id: z.string(), name: textOrNull() })),
      truncated: z.boolean(),
      usage: z.string(),
    }),
  async run({ search = '', limit = 25 }, context) {
    const found = await customersLike(search, context);
    const parties = found.slice(0, limit);
    const about = `${parties.length} of ${found.length} customers`;
    const isCut = found.length > limit;
    const more = isCut ? ' Search for a part of the name, or call again with a higher limit.' : '';
    const lines = parties.length > 0 ? [tableOf(withoutIds(parties, 'name'))] : [];
    return {
      text: markedText(`${about}. ${parties.length > 0 ? `${USAGE}${more}` : NONE}`, lines),
      result: { total_matched: found.length, parties, truncated: isCut, usage: USAGE },
    };
  },
});

const NONE = 'search_container finds the shipments of customers that are not in this list.';

/** The customers whose names contain `part`. Some accounts ignore the query, so the names are compared here too. */
async function customersLike(part: string, { caller, limits }: ToolContext) {
  const wanted = part.toLowerCase();
  const list = caller.client.parties.list({ query: part || undefined, pageSize: 100, ...limits() });
  return (await list.toArray({ limit: MAX_CUSTOMERS }))
    .map(party => ({ id: text(party.id) ?? '', name: text(party.company_name) }))
    .filter(({ name }) => name?.toLowerCase().includes(wanted) ?? wanted === '');
}

/**
 * The id of the customer with this id or name. Upper and lower case are equal. A part of the name is enough if only one
 * customer has it.
 *
 * @throws {ToolFailure} if no customer matches, or if more than one customer matches.
 */
export async function customerIdOf(given: string, context: ToolContext): Promise<string> {
  if (UUID.test(given)) return given;
  const found = await customersLike(given, context);
  const [match] = found.filter(({ name }) => name?.toLowerCase() === given.toLowerCase());
  if (match) return match.id;
  const shown = quoted(visible(given));
  const [only] = found;
  if (!only) throw new ToolFailure('not_found', `No customer has ${shown} in the name: see list_parties. ${NONE}`);
  if (found.length === 1) return only.id;
  const names = found.slice(0, MAX_NAMED).map(({ name }) => quoted(short(name) ?? ''));
  throw new ToolFailure(
    'ambiguous',
    `${found.length} customers have ${shown} in the name, such as ${names.join(', ')}. Call again with one of the names.`,
  );
}
