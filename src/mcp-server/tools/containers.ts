import * as z from 'zod/mini';
import { numberAsStored, parseContainerNumber } from '../../domain/container-number.ts';
import { counted, flag, included, joined, number, objects, several, short } from '../../domain/record-values.ts';
import { BadRequestError, ValidationError } from '../../errors.ts';
import { LISTS } from '../../model/generated/filter-rules.ts';
import type { ContainerFilter, ContainerSort } from '../../model/index.ts';
import { ToolFailure, UPSTREAM } from '../failure.ts';
import { described, filledText, idOrNumber, nullableTexts, oneOf, optionalTexts, shortText, UUID } from '../schema.ts';
import { defineTool, type ToolContext } from '../tool.ts';
import { CONTAINER_PARTS, containerShape, containerView, type ViewedContainer } from '../views/container.ts';
import { containerPage } from '../views/container-page.ts';
import { markedText, said, textsAt } from '../views/read.ts';
import { containerRow, containerRowSchema } from '../views/rows.ts';
import { customerIdOf } from './customers.ts';
import { documentLines, documentsOf, documentsSchema } from './documents.ts';
import { idOf } from './find.ts';
import { emptyHint, filterNames, filtersIn, givenOf, listOutput, listShape, pageOf, paging, utcDays } from './list.ts';
import { withCodes } from './names.ts';
import { dayIn, daysIn } from './times.ts';

/** Tools about containers: one container, a list of containers, and the counts of containers by a field. */

export const getContainer = defineTool({
  name: 'get_container',
  title: 'Get a container',
  description:
    'One container: status, last event, vessel, pickup and why not, ETA, days late, last free day, holds, fees, rail, gate-out, empty return. Documents (arrival notice …) with include.',
  input: () =>
    z.strictObject({
      id: idOrNumber(),
      include: z.optional(
        described(
          z.array(z.enum(['shipment', 'pod_terminal', 'transport_events', 'documents'])),
          'Shipment and terminal always come.',
        ),
      ),
    }),
  output: () => z.object({ ...containerShape(), documents: documentsSchema() }),
  notFound: 'Call again with the number of the container.',
  async run({ id, include = [] }, context) {
    const container = await containerNumbered(id, context);
    const withEvents = include.includes('transport_events');
    const view = container
      ? containerView(container, context.now, withEvents)
      : await containerDetails(await idOf('container', id, context), context, withEvents);
    const numbers = [view.container_number, view.shipment?.bill_of_lading ?? null];
    const documents = include.includes('documents') ? await documentsOf(numbers, context) : undefined;
    return {
      result: { ...view, documents },
      text: [containerPage(view), ...documentLines(documents)].join('\n'),
    };
  },
});

export async function containerDetails(
  id: string,
  { caller, limits, now }: Pick<ToolContext, 'caller' | 'limits' | 'now'>,
  withEvents = false,
) {
  const container = await caller.client.containers.get(id, { include: CONTAINER_PARTS, ...limits() });
  caller.saw(container);
  return containerView(container, now, withEvents);
}

/**
 * The only container with this number, read with one request. `undefined` if the text is not the number of a container,
 * or if the list does not have exactly one container with this number.
 */
async function containerNumbered(given: string, { caller, limits }: ToolContext): Promise<ViewedContainer | undefined> {
  const { valid, number } = parseContainerNumber(given);
  if (!valid) return undefined;
  try {
    const options = { filter: { number }, include: CONTAINER_PARTS, pageSize: 2, ...limits() };
    const { data } = await caller.client.containers.list(options);
    const [container] = data;
    if (!container || data.length > 1 || container.number !== number) return undefined;
    caller.saw(container);
    return container;
  } catch (error) {
    // An older service does not have the filter. The search finds the number too.
    if (error instanceof BadRequestError || error instanceof ValidationError) return undefined;
    throw error;
  }
}

const [, ...STATUSES] = (LISTS['containers.list']?.filter?.keys.current_status ?? []) as string[];

/**
 * The filters of the list and of the counts are the same. Only the tool that lists containers describes them and lists
 * the known values.
 */
const filters = (status: (known: string[]) => z.ZodMiniType<string>, meaning: (text: string) => string | undefined) => {
  const flag = z.optional(z.boolean());
  return {
    number: z.optional(shortText()),
    status: z.optional(status(STATUSES)),
    port: z.optional(shortText(meaning('Code or name of discharge'))),
    carrier: z.optional(shortText(meaning('SCAC or name'))),
    customer: z.optional(filledText(meaning('Name or id'))),
    updated_after: z.optional(shortText()),
    pickup_lfd: z.optional(shortText(meaning('Last free day'))),
    arrival: z.optional(shortText()),
    has_holds: flag,
    has_fees: flag,
    requires_attention: flag,
    actively_tracked: flag,
    tags: z.optional(shortText()),
  };
};

type FilterInput = z.infer<z.ZodMiniObject<ReturnType<typeof filters>>>;

/** The filters of the service for these arguments. */
async function filterOf(input: FilterInput, context: ToolContext): Promise<ContainerFilter> {
  const { number, status, port, carrier, customer, updated_after, pickup_lfd, arrival, tags } = input;
  return {
    ...givenOf(input, ['has_holds', 'has_fees', 'requires_attention', 'actively_tracked']),
    ...(number !== undefined && { number: several(number).map(numberAsStored) }),
    ...(status !== undefined && { current_status: statusIn(status) }),
    ...(port !== undefined && { pod_code: several(port) }),
    ...(carrier !== undefined && { shipping_line_scac: several(carrier) }),
    ...(customer !== undefined && { customer_id: await customerIdOf(customer, context) }),
    ...(updated_after !== undefined && { updated_at: { gte: dayIn(updated_after, context.now) } }),
    ...(pickup_lfd !== undefined && { pickup_lfd: daysIn('pickup_lfd', pickup_lfd, context.now) as string }),
    ...(arrival !== undefined && { arrival: daysIn('arrival', arrival, context.now) as string }),
    ...(tags !== undefined && { tags: several(tags) }),
  };
}

function statusIn(status: string): 'available' {
  if (STATUSES.includes(status)) return status as 'available';
  throw new ToolFailure('invalid_request', `status ${oneOf(STATUSES, status)}`);
}

const INCLUDES = ['shipment', 'pod_terminal', 'pickup_facility'] as const;

/**
 * Notes on filters. These filters are necessary, because the days in a row are not always the days that the service
 * compares.
 */
function notesOn({ arrival, updated_after, has_fees }: FilterInput, byPickupLfd: boolean): string[] {
  return [
    ...(byPickupLfd
      ? [
          'pickup_lfd is the day (UTC) that the service prefers among its sources, last_free_day the earliest of all that count: worklist has the near ones.',
        ]
      : []),
    ...(has_fees ? ['has_fees also finds containers that were picked up: worklist adds up what is due now.'] : []),
    ...(arrival !== undefined ? [utcDays('arrival')] : []),
    ...(updated_after !== undefined
      ? [
          'updated_after counts whole days in UTC, and records have no time of change: list_changes has what is known of it.',
        ]
      : []),
  ];
}

export const listContainers = defineTool({
  name: 'list_containers',
  title: 'List containers',
  description:
    'Containers, page by page. Days: YYYY-MM-DD, 3.days.ago or 3.days.from_now; pickup_lfd and arrival also take bounds, such as "<=3.days.from_now". Several codes and tags with commas. false of has_holds and has_fees: reported as none. Near deadlines: worklist.',
  input: () =>
    z.strictObject({
      ...filters(
        known => z.enum(known),
        text => text,
      ),
      sort: z.optional(shortText('pickup_lfd, arrival, -updated_at, -created_at (default), attention_priority …')),
      include: z.optional(described(z.array(z.enum(INCLUDES)), 'Default: all')),
      ...paging(),
    }),
  output: () => listShape(z.extend(containerRowSchema(), optionalTexts('customer_name'))),
  async run(given, context) {
    const { caller, limits, now, readOnly } = context;
    const input = await withCodes(given, context);
    const { sort = '-created_at', include = INCLUDES } = input;
    const orders = several(sort);
    const found = await caller.client.containers.list({
      ...pageOf(input),
      ...limits(),
      include,
      filter: await filterOf(input, context),
      sort: (orders.length === 1 ? orders[0] : orders) as ContainerSort,
    });
    for (const container of found.data) caller.saw(container);
    const withPickupLfd = input.pickup_lfd !== undefined || orders.some(order => /^-?pickup_lfd$/.test(order));
    return listOutput({
      what: 'containers',
      key: 'number',
      input,
      found,
      readOnly,
      row: record => ({ ...containerRow(record, now, { withPickupLfd }), customer_name: customerOf(record) }),
      notes: notesOn(input, withPickupLfd),
    });
  },
});

const customerOf = (container: { readonly shipment?: unknown }) => short(included(container.shipment)?.customer_name);

export const summarizeContainers = defineTool({
  name: 'summarize_containers',
  title: 'Count containers',
  description:
    'Number of containers for each terminal, status, carrier or port of discharge. Filters: see list_containers.',
  input: () =>
    z.strictObject({
      group_by: z.enum(['pod_terminal', 'current_status', 'shipping_line', 'port_of_discharge']),
      ...filters(
        () => shortText(),
        () => undefined,
      ),
    }),
  output: () =>
    z.object({
      total: z.nullable(z.number()),
      group_by: z.string(),
      truncated: z.nullable(z.boolean()),
      groups: z.array(z.object({ ...nullableTexts('key', 'label'), count: z.nullable(z.number()) })),
      applied_filters: z.looseObject({}),
      hint: z.optional(z.string()),
    }),
  notFound: 'This service cannot count. Read list_containers page by page.',
  async run({ group_by, ...given }, context) {
    const { caller, limits, readOnly } = context;
    const input = await withCodes(given, context);
    const filter = await filterOf(input, context);
    const { data, meta } = await caller.client.containers.summary({ group_by, filter, ...limits() });
    const groups = objects(data);
    if (groups === null) throw new ToolFailure('upstream', UPSTREAM);
    const notes = notesOn(input, input.pickup_lfd !== undefined);
    const applied_filters = filtersIn(input);
    const hint = groups.length > 0 ? notes.join(' ') : emptyHint(1, Object.keys(applied_filters), notes, readOnly);
    const result = {
      total: number(meta?.total),
      group_by,
      truncated: flag(meta?.truncated),
      groups: groups.map(group => ({ ...textsAt(group, 'key', 'label'), count: number(group.count) })),
      applied_filters,
      ...(hint && { hint }),
    };
    return { result, text: countsText(result) };
  },
});

interface Counts {
  total: number | null;
  group_by: string;
  truncated: boolean | null;
  groups: readonly { key: string | null; label: string | null; count: number | null }[];
  applied_filters: object;
  hint?: string;
}

/** The counts as text, with one line for each group. */
function countsText({ total, group_by, truncated, groups, applied_filters, hint }: Counts): string {
  const names = filterNames({ ...applied_filters });
  const about = [
    `${total === null ? 'Containers' : counted(total, 'container')} by ${group_by}`,
    names ? `filtered by ${names}` : 'no filter',
    truncated && 'not all groups',
  ];
  const rows = groups.map(({ key, label, count }) =>
    joined([count, said(label ?? key) || 'unknown', label !== key && !UUID.test(key ?? '') && said(key)], '|'),
  );
  return markedText(joined(about, '; '), [...(hint ? [hint] : []), ...rows]);
}
