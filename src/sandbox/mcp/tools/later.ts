import { filteredInputs } from '../editions.ts';
import { GLOSSARY, QUERY_GUIDANCE } from '../guides.ts';
import type { Row } from '../rest.ts';
import type { LaterTool } from '../tool.ts';
import { filterQuery, filtersOf } from './lists.ts';

const searchDocs: LaterTool = {
  name: 'search_docs',
  title: 'Search the documentation',
  description: 'Searches the public documentation of the service, not the account.',
  editions: ['2026-10'],
  inputs: {
    query: { type: 'string', minLength: 1, maxLength: 256, description: 'Words to look for.' },
    limit: { type: 'integer', minimum: 1, maximum: 10, description: 'Maximum number of pages. By default: 5.' },
  },
  required: ['query'],
  isStrict: false,
  async run({ query, limit = 5 }) {
    const words = String(query).toLowerCase().split(/\W+/).filter(Boolean);
    const found = PAGES.filter(({ content }) => words.some(word => content.toLowerCase().includes(word)));
    const results = found.slice(0, Number(limit));
    return { result: { query, total_results: results.length, results } };
  },
};

/** The sections of the guides. */
const PAGES = [GLOSSARY, QUERY_GUIDANCE].flatMap(guide => {
  const [, page = ''] = /^# (.*)/.exec(guide) ?? [];
  return guide.split(/^## /m).map((content, index) => ({
    title: index === 0 ? page : (content.split('\n')[0] ?? ''),
    url: `https://docs.example/${page.toLowerCase().replace(/\W+/g, '-')}`,
    page: page.toLowerCase().replace(/\W+/g, '-'),
    content: content.trim(),
  }));
});

const summarizeContainers: LaterTool = {
  name: 'summarize_containers',
  title: 'Count containers',
  description: 'Counts the containers that match filters, by group.',
  editions: ['2026-11'],
  inputs: {
    ...filteredInputs('list_containers', false),
    group_by: {
      type: 'string',
      enum: ['pod_terminal', 'current_status', 'shipping_line', 'port_of_discharge'],
      description: 'The attribute by which containers are grouped.',
    },
  },
  required: ['group_by'],
  isStrict: true,
  async run(args, rest) {
    const { filters } = await filtersOf('list_containers', args, rest);
    const group_by = String(args.group_by);
    const { data: groups, meta } = await rest.get('/containers/summary', { group_by, ...filterQuery(filters) });
    const { total, truncated } = meta ?? {};
    return { result: { total, group_by, truncated, groups, applied_filters: filters } };
  },
};

const listParties: LaterTool = {
  name: 'list_parties',
  title: 'List parties',
  description: 'Finds companies that have a role on shipments or containers.',
  editions: ['2026-11'],
  inputs: {
    search: { type: 'string', minLength: 1, maxLength: 100, description: 'Part of a name.' },
    limit: { type: 'integer', minimum: 1, maximum: 50, description: 'Maximum number of parties. By default: 25.' },
  },
  required: [],
  isStrict: true,
  async run({ search, limit = 25 }, rest) {
    const query = search === undefined ? undefined : String(search);
    const { rows, meta } = await rest.get('/parties', { query, 'page[size]': Number(limit) });
    const total_matched = Number(meta?.total ?? rows.length);
    const parties = rows.map(({ id, attributes }) => ({ id, name: attributes.company_name }));
    const usage = 'Pass an id as party_id to list_shipments.';
    return { result: { total_matched, parties, truncated: total_matched > parties.length, usage } };
  },
};

const whoami: LaterTool = {
  name: 'whoami',
  title: 'Who is calling',
  description: 'Returns the credential, its account and its rights.',
  editions: ['2026-11'],
  inputs: {},
  required: [],
  isStrict: false,
  async run(_args, rest) {
    const { rows } = await rest.get('/me');
    const credential = rows[0] as Row;
    const { kind, name, features } = credential.attributes;
    const user = credential.one('user');
    return {
      result: {
        kind,
        channel: 'mcp',
        credential_name: name ?? null,
        account: accountOf(credential.one('account') as Row),
        user: user && { id: user.id, email: user.attributes.email, name: user.attributes.name },
        other_accounts: (user?.many('accounts') ?? []).map(({ id, attributes }) => ({
          ...{ id, company_name: attributes.company_name },
        })),
        features,
      },
    };
  },
};

function accountOf({ id, attributes }: Row) {
  const { company_name, company_type, plan, scac, abbr_name, city, state_abbr, country, tracking_slots } = attributes;
  const location = [city, state_abbr, country].filter(Boolean).join(', ') || null;
  return { id, company_name, company_type, plan, scac, abbr_name, location, tracking_slots };
}

/** The tools that only some editions have. */
export const laterTools = [searchDocs, summarizeContainers, listParties, whoami];
