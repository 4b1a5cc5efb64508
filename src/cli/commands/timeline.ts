import type { LabelledMilestone } from '../../domain/milestone-labels.ts';
import { table, terminalWidth } from '../output/table.ts';

/** The events of a container, one per line. */
export function timeline(events: readonly LabelledMilestone[]): string {
  const { text } = table(
    [
      ['WHEN', ({ local }) => local.text, 'whole'],
      ['WHAT', ({ label }) => label],
      ['WHERE', ({ place, locode }) => place ?? locode],
    ],
    events,
    terminalWidth() - 2,
  );
  return text.replace(/^/gm, '  ');
}
