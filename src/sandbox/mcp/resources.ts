import { notFound } from '../http/errors.ts';
import { COLUMNS, GLOSSARY, QUERY_GUIDANCE } from './guides.ts';
import type { Rest, Row } from './rest.ts';
import { demurrageOf, localText } from './tools/containers.ts';

interface Resource {
  uri: string;
  name: string;
  description: string;
  mimeType: string;
  text: string;
}

const resources: Resource[] = [
  {
    uri: 'tracking://docs/milestone-glossary',
    name: 'Milestone glossary',
    description: 'The meanings of the events of a container.',
    mimeType: 'text/markdown',
    text: GLOSSARY,
  },
  {
    uri: 'tracking://docs/mcp-query-guidance',
    name: 'Query guidance',
    description: 'The tool to use for each kind of question.',
    mimeType: 'text/markdown',
    text: QUERY_GUIDANCE,
  },
  {
    uri: 'tracking://docs/list-display-columns',
    name: 'List columns',
    description: 'The columns for the rows of the list tools.',
    mimeType: 'application/json',
    text: JSON.stringify(COLUMNS, null, 2),
  },
];

export const resourceList = resources.map(({ text: _, ...resource }) => resource);

export const resourceTemplates = [
  {
    uriTemplate: 'tracking://container/{id}',
    name: 'Container',
    description: 'A summary of a container on one page.',
    mimeType: 'text/markdown',
  },
];

/** @throws {HttpError} 404 for an unknown address. */
export async function readResource(uri: string, rest: Rest) {
  const known = resources.find(resource => resource.uri === uri);
  if (known) return { uri, mimeType: known.mimeType, text: known.text };
  const [, id] = /^tracking:\/\/container\/([0-9a-f-]{36})$/i.exec(uri) ?? [];
  if (id === undefined) throw notFound();
  const { rows } = await rest.get(`/containers/${id}`, { include: 'shipment,pod_terminal' });
  return { uri, mimeType: 'text/markdown', text: summary(rows[0] as Row, rest.now()) };
}

function summary(container: Row, now: number): string {
  const { attributes: a } = container;
  const local = (instant: unknown) => localText(instant, a.pod_timezone);
  const inland = (instant: unknown) => localText(instant, a.final_destination_timezone);
  const { last_free_days, ...demurrage } = demurrageOf(container, now);
  const ready = a.availability_known ? (a.available_for_pickup ? 'yes' : 'no') : 'unknown';
  const fees = counted(demurrage.fees_at_pod_terminal, `, in total ${demurrage.fees_total_amount}`);
  const lines = [
    `# Container ${a.number}`,
    `- Id: ${container.id}`,
    `- Status: ${a.current_status}`,
    `- Equipment: ${[a.equipment_length, a.equipment_type, a.equipment_height].join(' ')}`,
    `- Terminal: ${container.one('pod_terminal')?.attributes.name ?? 'not known'}, time zone ${a.pod_timezone ?? 'not known'}`,
    '',
    '## Availability',
    `- Ready for pickup: ${ready}`,
    `- Yard place: ${a.location_at_pod_terminal ?? 'not known'}`,
    `- Arrived: ${local(a.pod_arrived_at)}`,
    `- Discharged: ${local(a.pod_discharged_at)}`,
    '',
    '## Deadlines and fees',
    `- Last free day: ${local(a.pickup_lfd)}`,
    `- Of the terminal: ${local(last_free_days.terminal)}`,
    `- Of the railway: ${inland(last_free_days.rail)}`,
    `- Of the carrier: ${local(last_free_days.line)}`,
    `- Appointment: ${local(a.pickup_appointment_at)}`,
    `- Fees: ${fees}`,
    `- Holds: ${counted(a.holds_at_pod_terminal)}`,
    ...(demurrage.urgency_suppressed ? [`- Urgency: not known. ${demurrage.urgency_reason}`] : []),
  ];
  if (a.pod_rail_carrier_scac) {
    lines.push('', '## Rail', `- Railway: ${a.pod_rail_carrier_scac}`, `- Loaded: ${local(a.pod_rail_loaded_at)}`);
    lines.push(`- Arrival, expected: ${inland(a.ind_eta_at)}`, `- Arrival: ${inland(a.ind_ata_at)}`);
  }
  return `${lines.join('\n')}\n`;
}

function counted(list: unknown, more = ''): string {
  if (!Array.isArray(list)) return 'not reported';
  return list.length === 0 ? 'none' : `${list.length}${more}`;
}
