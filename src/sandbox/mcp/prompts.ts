/** A prompt: a text with its arguments in place. */
interface Prompt {
  name: string;
  title: string;
  description: string;
  arguments: { name: string; description: string; required: boolean }[];
  text(args: Record<string, string>): string;
}

const CONTAINER_ID = { name: 'container_id', description: 'Id of the container.', required: true };

export const prompts: Prompt[] = [
  {
    name: 'track-shipment',
    title: 'Track a container',
    description: 'Asks for the state of a container.',
    arguments: [
      { name: 'container_number', description: 'Number of the container.', required: true },
      { name: 'carrier', description: 'SCAC of the carrier.', required: false },
    ],
    text: ({ container_number, carrier }) =>
      `Track container ${container_number}${carrier ? ` with carrier ${carrier}` : ''}. Tell its status, where it is, what holds it and what is wrong.`,
  },
  {
    name: 'check-demurrage',
    title: 'Check demurrage',
    description: 'Asks for last free day, holds and fees.',
    arguments: [CONTAINER_ID],
    text: ({ container_id }) =>
      `Check container ${container_id} for demurrage: the last free day and the days left, whether it can be picked up, what blocks it, what the terminal charges, and what to do.`,
  },
  {
    name: 'analyze-delays',
    title: 'Analyze delays',
    description: 'Asks for what has delayed a container.',
    arguments: [CONTAINER_ID],
    text: ({ container_id }) =>
      `Go through the timeline of container ${container_id}: delays against the plan, actual and estimated time of each step, long gaps, likely causes, and what they mean for the transit time.`,
  },
];
