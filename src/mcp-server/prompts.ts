import * as s from './schema/build.ts';

export interface Prompt {
  name: string;
  title: string;
  description: string;
  input: () => s.Schema<Record<string, string | undefined>>;
  text(input: Record<string, string | undefined>): string;
}

const containerId = () => s.object({ container_id: s.uuid().describe('Id of the container, a UUID.') });

/** Questions that users ask often, ready to send. */
export const PROMPTS: readonly Prompt[] = [
  {
    name: 'track-shipment',
    title: 'Track a container',
    description: 'Track a container and report where it stands.',
    input: () =>
      s.object({
        container_number: s.string({ minLength: 1, maxLength: 200 }).describe('Number of the container.'),
        carrier: s.optional(s.string({ maxLength: 200 }).describe('SCAC of the carrier.')),
      }),
    text: ({ container_number, carrier }) =>
      `Track the container ${container_number}${carrier ? ` of the carrier ${carrier}` : ''}. Then report its status, where it is, what holds it, and what needs attention.`,
  },
  {
    name: 'check-demurrage',
    title: 'Check demurrage',
    description: 'Check the last free day, holds and fees of a container.',
    input: containerId,
    text: ({ container_id }) =>
      `Check the demurrage of the container with the id ${container_id}: its last free day and the days left, whether it can be picked up, the holds that forbid it, the fees at the terminal, and what to do next.`,
  },
  {
    name: 'analyze-delays',
    title: 'Analyze delays',
    description: 'Find where a container lost time.',
    input: containerId,
    text: ({ container_id }) =>
      `Go through the timeline of the container with the id ${container_id}. Name the delays against the plan, the actual and the estimated time of each milestone, long gaps, likely causes, and what they mean for the time in transit.`,
  },
];
