import * as z from 'zod/mini';
import { counted, included, joined, number, quoted, text, texts } from '../../domain/record-values.ts';
import { nullableTexts, optionalTexts, shortText, textOrNull } from '../schema.ts';
import { defineTool } from '../tool.ts';
import { factLines, markedText, said, textsAt } from '../views/read.ts';
import { carrierOf, meant } from './names.ts';

/** Tools that find arguments for other tools, and the tool that reports the user of the credential. */

/** The carrier of the service for tests. It is never suggested. */
const TEST_SCAC = 'TEST';

/** Upper bound of the carriers in a result, so that they do not fill the context of a model. */
const MAX_LINES = 300;

export const getSupportedShippingLines = defineTool({
  name: 'get_supported_shipping_lines',
  title: 'List carriers',
  description: 'The carriers that can be tracked, with their SCAC.',
  input: () => z.strictObject({ search: z.optional(shortText('Part of a SCAC or a name')) }),
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
    const all = await caller.shippingLines(limits());
    const lines = all
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
    const cut = left > 0 ? `${counted(left, 'carrier')} left out: search for a part of the name.` : undefined;
    const rows = shipping_lines.map(({ scac, name, short_name, notes }) =>
      joined([said(scac), said(name), short_name !== name && said(short_name), notes], '|'),
    );
    const none = lines.length === 0 && `${NO_CARRIER}${meant(search, all.map(carrierOf))}`;
    return {
      text: markedText(joined([counted(lines.length, 'carrier'), cut, none], '. '), rows),
      result: {
        total_lines: lines.length,
        shipping_lines,
        cut,
        _metadata: {
          presentation_guidance: none || 'Sorted by name.',
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
    const result = {
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
    };
    const { kind, channel, credential_name, user: person, other_accounts, features } = result;
    const { company_name, company_type, plan, scac, location, tracking_slots: slots, id } = result.account;
    return {
      result,
      text: markedText(
        `# Account ${said(company_name) || quoted(id)}`,
        factLines({
          Kind: joined([said(company_type), said(scac)]),
          Plan: said(plan),
          Location: said(location),
          'Tracking slots':
            slots && joined([`${slots.used ?? '?'} of ${slots.limit ?? '?'} used`, slotsLeft(slots.remaining)]),
          Credential: joined([said(kind), said(credential_name), channel && `channel ${said(channel)}`]),
          User: person && joined([person.name, person.email, person.role, person.job_title].map(said)),
          Features: Object.entries(features)
            .map(([name, { status }]) => joined([name, status].map(said), ' '))
            .join(', '),
          'Other accounts': other_accounts
            .map(other => joined([other.company_name, other.id].map(said), ' '))
            .join(', '),
          Id: quoted(id),
        }),
      ),
    };
  },
});

const slotsLeft = (remaining: number | null) => remaining !== null && `${remaining} left`;

function namedOf(account: Record<string, unknown>) {
  return { id: text(account.id) ?? '', company_name: text(account.company_name) };
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return included(value) ?? Object(value ?? {});
}
