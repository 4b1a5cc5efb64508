import * as z from 'zod/mini';
import { parseContainerNumber } from '../../domain/container-number.ts';
import { count, filledText, nullableTexts, optionalTexts, shortText, textOrNull } from '../schema.ts';
import { defineTool } from '../tool.ts';
import { included, joined, markedText, number, said, text, texts, textsAt } from '../views/read.ts';
import { tableOf } from '../views/rows.ts';

/** Tools that find the arguments of others, and the user of the key. */

const MAX_HITS = 'At most 25 hits: with so many, search for more of the number.';

const NOTHING_FOUND =
  'The account tracks nothing of this number. Check it with the user; track_container starts tracking.';

/** The service's own carrier for tests is none to recommend. */
const TEST_SCAC = 'TEST';

/** More than that would fill the context of a model. */
const MAX_LINES = 300;

export const searchContainer = defineTool({
  name: 'search_container',
  title: 'Search',
  description:
    'Finds containers, shipments, and tracking requests without a shipment, by number, bill of lading, booking or reference. Start here when you have a number and need an id; get_container has the status. At most 25 hits.',
  input: () => z.strictObject({ query: filledText('The number or reference, or a part of it.') }),
  output: () => {
    const hit = { id: z.string(), shipping_line: z.string(), ref_numbers: z.array(z.string()) };
    return z.object({
      containers: z.array(
        z.object({
          ...hit,
          container_number: textOrNull(),
          ...optionalTexts('status', 'shipment_id'),
          duplicate_number: z.optional(z.boolean()),
        }),
      ),
      shipments: z.array(
        z.object({
          ...hit,
          ...optionalTexts('port_of_lading', 'port_of_discharge', 'tracking_stopped_reason'),
          container_count: z.optional(z.number()),
        }),
      ),
      tracking_requests: z.array(
        z.object({ ...hit, request_number: textOrNull(), ...optionalTexts('status', 'failed_reason') }),
      ),
      total_results: z.number(),
      ...optionalTexts('cut', 'hint'),
    });
  },
  async run({ query }, { caller, limits }) {
    const parsed = parseContainerNumber(query);
    const hits = (await caller.client.search(parsed.valid ? parsed.number : query, limits())).map(
      hit => hit as unknown as Hit,
    );
    const [boxes, shipments, requests] = [['cargo', 'container'], ['shipment'], ['tracking_request']].map(types =>
      hits.filter(({ entity_type }) => types.includes(String(entity_type))),
    ) as [Hit[], Hit[], Hit[]];
    const numbers = boxes.map(box => text(box.number));
    const result = {
      containers: boxes.map(box => {
        const number = text(box.number);
        caller.saw({ id: text(box.id) ?? '', number });
        return {
          ...hitOf(box),
          container_number: number,
          ...saidIn(box, 'status', 'shipment_id'),
          ...(numbers.filter(other => other === number).length > 1 && { duplicate_number: true }),
        };
      }),
      shipments: shipments.map(shipment => ({
        ...hitOf(shipment),
        ref_numbers: [...new Set([...texts([shipment.number]), ...texts(shipment.ref_numbers)])],
        port_of_lading: text(shipment.port_of_lading_name) ?? undefined,
        port_of_discharge: text(shipment.port_of_discharge_name) ?? undefined,
        tracking_stopped_reason: shipment.tracking_stopped
          ? (text(shipment.tracking_stopped_reason) ?? 'unknown')
          : undefined,
        container_count: number(shipment.containers_count) ?? undefined,
      })),
      tracking_requests: requests.map(request => ({
        ...hitOf(request),
        request_number: text(request.number),
        ...saidIn(request, 'status', 'failed_reason'),
      })),
    };
    const total_results = boxes.length + shipments.length + requests.length;
    const cut = hits.length >= 25 ? MAX_HITS : undefined;
    const hint = total_results === 0 ? NOTHING_FOUND : undefined;
    const tables = Object.entries(result).flatMap(([name, rows]) =>
      rows.length > 0 ? [`${name}:`, tableOf(rows)] : [],
    );
    return {
      text: markedText(joined([`${total_results} hits`, cut, hint], '. '), tables),
      result: { ...result, total_results, cut, hint },
    };
  },
});

type Hit = Record<string, unknown>;

const hitOf = (hit: Hit) => ({
  id: text(hit.id) ?? '',
  shipping_line: text(hit.scac) ?? 'Unknown',
  ref_numbers: texts(hit.ref_numbers),
});

/** The texts that a hit has. Most kinds of hits leave most of them out. */
function saidIn<Name extends string>(hit: Hit, ...names: Name[]): { [N in Name]?: string | undefined } {
  return Object.fromEntries(names.map(name => [name, text(hit[name]) ?? undefined])) as never;
}

export const getSupportedShippingLines = defineTool({
  name: 'get_supported_shipping_lines',
  title: 'List carriers',
  description: 'The carriers that can be tracked, with the SCAC that track_container needs.',
  input: () => z.strictObject({ search: z.optional(shortText('Part of a SCAC or a name, in any case.')) }),
  output: () =>
    z.object({
      total_lines: z.number(),
      shipping_lines: z.array(
        z.object({
          scac: z.string(),
          name: z.string(),
          ...optionalTexts('short_name', 'bol_prefix', 'notes'),
        }),
      ),
      cut: z.optional(z.string()),
      _metadata: z.object({ presentation_guidance: z.string() }),
    }),
  async run({ search = '' }, { caller, limits }) {
    const wanted = search.trim().toLowerCase();
    const lines = (await caller.shippingLines(limits()))
      .map(line => ({
        scac: text(line.scac) ?? '',
        name: text(line.name) ?? text(line.scac) ?? '',
        short_name: text(line.short_name) ?? undefined,
        bol_prefix: text(line.bol_prefix) ?? undefined,
        notes: notesOf(line),
      }))
      .filter(
        ({ scac, name, short_name = '' }) =>
          scac !== TEST_SCAC && [scac, name, short_name].some(value => value.toLowerCase().includes(wanted)),
      )
      .sort((a, b) => a.name.localeCompare(b.name));
    const left = lines.length - MAX_LINES;
    const shipping_lines = lines.slice(0, MAX_LINES);
    const cut = left > 0 ? `${left} carriers were left out: search for a part of the name.` : undefined;
    const rows = shipping_lines.map(({ scac, name, short_name, notes }) =>
      joined([said(scac), said(name), short_name !== name && said(short_name), notes], '|'),
    );
    return {
      text: markedText(joined([`${lines.length} carriers`, cut, lines.length === 0 && NO_CARRIER], '. '), rows),
      result: {
        total_lines: lines.length,
        shipping_lines,
        cut,
        _metadata: {
          presentation_guidance: lines.length === 0 ? NO_CARRIER : 'Sorted by name.',
        },
      },
    };
  },
});

const NO_CARRIER = 'No carrier fits: it cannot be tracked, or it is written differently.';

/** The kinds of numbers that the carrier does not track. */
function notesOf(line: object): string | undefined {
  const support = line as Record<string, unknown>;
  const missing = [
    support.bill_of_lading_tracking_support === false && 'bill of lading',
    support.booking_number_tracking_support === false && 'booking',
    support.container_number_tracking_support === false && 'container',
  ].filter(kind => kind !== false);
  return missing.length > 0 ? `No tracking by ${missing.join(', ')} number.` : undefined;
}

export const listParties = defineTool({
  name: 'list_parties',
  title: 'List parties',
  description: 'The companies that the account knows as parties of its shipments, by a part of the name.',
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
  async run({ search, limit = 25 }, { caller, limits }) {
    const list = caller.client.parties.list({ query: search, pageSize: 100, ...limits() });
    const wanted = search?.toLowerCase() ?? '';
    // Some accounts ignore the query.
    const found = (await list.toArray({ limit: MAX_PARTIES }))
      .map(party => ({ id: text(party.id) ?? '', name: text(party.company_name) }))
      .filter(({ name }) => name?.toLowerCase().includes(wanted) ?? wanted === '');
    const parties = found.slice(0, limit);
    return {
      text: markedText(`${parties.length} of ${found.length} parties`, parties.length > 0 ? [tableOf(parties)] : []),
      result: {
        total_matched: found.length,
        parties,
        truncated: found.length > limit,
        usage: 'An id names the party for the user. No other tool takes it.',
      },
    };
  },
});

/** More than any account has. */
const MAX_PARTIES = 2_000;

export const whoami = defineTool({
  name: 'whoami',
  title: 'Who calls',
  description: 'The credential of this server, its account, its user, and the features that it can use.',
  input: () => z.strictObject({}),
  output: () =>
    z.object({
      ...nullableTexts('kind', 'channel', 'credential_name'),
      account: z.looseObject({ id: z.string(), company_name: textOrNull() }),
      user: z.nullable(z.looseObject({ id: z.string() })),
      other_accounts: z.array(z.object({ id: z.string(), company_name: textOrNull() })),
      features: z.looseObject({}),
    }),
  notFound: 'This service does not say who calls. Do not call again.',
  async run(_, { caller, limits }) {
    const credential = await caller.client.me(limits());
    const account = fieldsOf(credential.account);
    const user = credential.user && fieldsOf(credential.user);
    const { limit, used, remaining } = fieldsOf(account.tracking_slots);
    const place = texts([account.city, account.state_abbr, account.country]).join(', ');
    const accounts: unknown[] = Array.isArray(user?.accounts) ? user.accounts : [];
    return {
      result: {
        ...textsAt(credential, 'kind', 'channel'),
        credential_name: text(credential.name),
        account: {
          ...namedOf(account),
          ...textsAt(account, 'company_type', 'plan', 'scac', 'abbr_name'),
          location: place || null,
          tracking_slots: account.tracking_slots
            ? { limit: number(limit), used: number(used), remaining: number(remaining) }
            : null,
        },
        user: user && {
          id: text(user.id) ?? '',
          ...textsAt(user, 'email', 'name', 'role', 'job_role', 'job_title'),
        },
        other_accounts: accounts.map(other => namedOf(fieldsOf(other))).filter(({ id }) => id !== text(account.id)),
        features: Object.fromEntries(
          Object.entries(fieldsOf(credential.features)).map(([name, feature]) => [
            text(name) ?? '',
            { status: text(fieldsOf(feature).status) },
          ]),
        ),
      },
    };
  },
});

function namedOf(account: Record<string, unknown>) {
  return { id: text(account.id) ?? '', company_name: text(account.company_name) };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return included(value) ?? Object(value ?? {});
}
