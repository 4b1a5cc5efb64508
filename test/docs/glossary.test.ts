/** Some readers do not know the industry, so each page links the first use of a term to the glossary. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { anchorsOf } from '../../support/docs/links.ts';
import { ROOT } from '../../support/docs/pages.ts';

const GLOSSARY = 'docs/guides/glossary.md';
const PAGES = globSync('docs/{guides,recipes}/*.md', { cwd: ROOT, exclude: [GLOSSARY] }).sort();
/** The words of each entry. `undefined` for words that everybody knows, or that often have another meaning. */
const TERMS: Record<string, RegExp | undefined> = {
  'bill-of-lading': /\bbills? of lading\b/i,
  'master-and-house-bill': /\b(master|house) bills?\b/i,
  booking: /\bbookings?\b/i,
  'container-number': undefined,
  scac: /\bSCACs?\b/,
  unlocode: /\b(UN\/)?LOCODEs?\b/,
  'imo-number-and-mmsi': /\bIMO\b|\bMMSI\b/,
  dcsa: /\bDCSA\b/,
  'port-of-lading-and-port-of-discharge': /\b[Pp]orts? of (lading|discharge)\b|\bPO[LD]\b/,
  // A manifest is also a file of Kubernetes.
  manifest: undefined,
  'vessel-and-voyage': /\bvoyages?\b/i,
  transshipment: /\btransshipments?\b/i,
  rolled: /\brolled\b/i,
  'etd-atd-eta-ata': /\b[EA]T[DA]s?\b/,
  milestone: /\bmilestones?\b/i,
  'gate-in-and-gate-out': /\bgates? (in|out)\b/i,
  'empty-return': /\bempty returns?\b/i,
  'inland-move-and-rail': /\binland (moves?|destinations?)\b/i,
  // A terminal is also the window of a shell, for example.
  terminal: undefined,
  grounded: /\bgrounded\b/i,
  'available-for-pickup': /\bavailable for pickup\b|\bavailability\b/i,
  // “Hold” is also a verb.
  hold: undefined,
  'customs-exam': /\bcustoms exams?\b/i,
  'free-time': /\bfree time\b/i,
  'last-free-day': /\blast free days?\b/i,
  demurrage: /\bdemurrage\b/i,
  detention: /\bdetention\b/i,
  'per-diem': /\bper diem\b/i,
  'pickup-appointment': /\b(pickup )?appointments?\b/i,
  drayage: /\bdrayage\b/i,
  'shipping-line': /\bshipping lines?\b/i,
  'shipper-consignee-notify-party': /\bshippers?\b|\bconsignees?\b|\bnotify part(y|ies)\b/i,
  'customs-broker-and-freight-forwarder': /\b(customs )?brokers?\b|\bforwarders?\b/i,
};

/** Parts that are not checked: the opening (tables of contents repeat it), fences, headings, comments, inline code. */
const NOT_PROSE = [/^# .*\n+(.+\n)+/g, /^ *(```+)[\s\S]*?^ *\1$/gm, /^#+ .*/gm, /<!--[\s\S]*?-->/g, /`[^`]+`/g];

test('every entry of the glossary has its words in this test', () => {
  const text = readFileSync(join(ROOT, GLOSSARY), 'utf8');
  const entries = anchorsOf(text.replaceAll(/^##? .*/gm, ''));
  expect(Object.keys(TERMS)).toEqual([...entries]);
});

test.each(PAGES)('%s links the first use of a term', page => {
  expect(unlinkedIn(readFileSync(join(ROOT, page), 'utf8'), page)).toEqual([]);
});

test.each([
  ['a demurrage', 'docs/guides/page.md:5: link "demurrage" to glossary.md#demurrage'],
  ['a demurrage', 'docs/recipes/page.md:5: link "demurrage" to ../guides/glossary.md#demurrage'],
  ['`code` and Bills\nof lading', 'docs/guides/page.md:5: link "Bills of lading" to glossary.md#bill-of-lading'],
  ['[demurrage](glossary.md#detention)', 'docs/guides/page.md:5: link "demurrage" to glossary.md#demurrage'],
])('a term without a link is reported: %j', (text, complaint) => {
  expect(unlinkedIn(`# Title\n\nOpening.\n\n${text}`, complaint.split(':')[0] ?? '')).toEqual([complaint]);
});

test.each([
  '[demurrage](glossary.md#demurrage), and demurrage again',
  '`demurrage` and [more about demurrage](tracking.md)',
  '## Demurrage\n\n```ts\n// demurrage\n```\n\n<!-- demurrage -->',
])('a term with a link, in a heading and in code is accepted: %j', text => {
  expect(unlinkedIn(`# Title\n\nOpening with demurrage.\n\n${text}`, 'docs/guides/page.md')).toEqual([]);
});

function unlinkedIn(text: string, page: string): string[] {
  const glossary = relative(dirname(page), GLOSSARY);
  const targets = new Map<number, string>();
  const prose = NOT_PROSE.reduce((rest, pattern) => rest.replaceAll(pattern, blank), text).replaceAll(
    /\[([^\]]*)\]\(([^)]*)\)/g,
    (link, words: string, target: string, index: number) => {
      if (!target.startsWith(glossary)) return blank(link);
      targets.set(index + 1, target);
      return ` ${words}${blank(link.slice(words.length + 1))}`;
    },
  );
  const oneLine = prose.replaceAll('\n', ' ');
  return Object.entries(TERMS).flatMap(([entry, words]) => {
    const use = words?.exec(oneLine);
    const target = `${glossary}#${entry}`;
    if (!use || targets.get(use.index) === target) return [];
    const line = text.slice(0, use.index).split('\n').length;
    return [`${page}:${line}: link "${use[0]}" to ${target}`];
  });
}

/** Replaces the text by spaces, so that the lines and columns of the rest stay the same. */
function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, ' ');
}
