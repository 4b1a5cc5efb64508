import type { Figure, Group } from './results.ts';
import { format } from './text.ts';

const WIDTH = 860;
const ROW = 24;
const BAR = 12;
const TITLE = 40;
const VALUES = 120;
const CHARACTER = 6.9;

/** Without this style, the colours would suit only one background. */
const STYLE = `
text { font: 13px system-ui, sans-serif; fill: #1f2328 }
.title { font-weight: 600 }
.note, .value { fill: #59636e }
.other { fill: #8c959f } .ours { fill: #0969da } .over { fill: #cf222e }
.noise { fill: #818b98; opacity: .22 }
.base, .spread { stroke: #59636e } .limit { stroke: #bc4c00; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .note, .value { fill: #b1bac4 }
  .other { fill: #6e7681 } .ours { fill: #4493f8 } .over { fill: #f85149 }
  .base, .spread { stroke: #b1bac4 } .limit { stroke: #f0883e }
}`;

/** The figures with the same base. */
interface Panel {
  title: string;
  against?: string;
  figures: Figure[];
}

/**
 * Bars of a group, one panel for each title. The table of the page has all figures; a plot has only the figures with the
 * first base of each title.
 */
export function plot(title: string, { figures }: Group): string {
  const panels = panelsOf(figures);
  const labels = Math.max(...panels.flatMap(panel => panel.figures.map(({ name }) => name.length))) * CHARACTER + 16;
  let top = 0;
  const drawn = panels.map(panel => {
    const [y, height] = [top, TITLE + panel.figures.length * ROW + 14];
    top += height;
    return `<g transform="translate(0 ${y})">\n${draw(panel, labels)}\n</g>`;
  });
  const legend = `<text class="note" x="8" y="${top + 14}">${escapeXml(legendOf(panels))}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${top + 26}" width="${WIDTH}" height="${top + 26}" role="img">
<title>${escapeXml(title)}</title>
<style>${STYLE}
</style>
${drawn.join('\n')}
${legend}
</svg>
`;
}

export function panelsOf(figures: readonly Figure[]): Panel[] {
  const panels = new Map<string, Panel>();
  for (const figure of figures) {
    const { title, against } = figure;
    const panel = panels.get(title);
    if (!panel) panels.set(title, { title, ...(against !== undefined && { against }), figures: [figure] });
    // A title can have a second series with another base, such as WebCrypto beside node:crypto. The second series is
    // not drawn.
    else if (panel.against === against) panel.figures.push(figure);
  }
  return [...panels.values()];
}

function draw({ title, against, figures }: Panel, labels: number): string {
  const most = Math.max(...figures.flatMap(({ value, spread, limit }) => [value, spread?.[1] ?? 0, limit ?? 0]), 1e-9);
  const scale = (WIDTH - labels - VALUES) / most;
  const x = (value: number) => (labels + Math.max(0, value) * scale).toFixed(1);
  const height = figures.length * ROW;
  const control = figures.find(({ atLeast }) => atLeast !== undefined);
  const lines = [
    `<text class="title" x="8" y="20">${escapeXml(against ? `${title}: against ${against}` : title)}</text>`,
  ];
  if (control?.atLeast !== undefined && control.limit !== undefined) {
    const width = (control.limit - control.atLeast) * scale;
    lines.push(
      `<rect class="noise" x="${x(control.atLeast)}" y="${TITLE - 8}" width="${width.toFixed(1)}" height="${height + 8}"/>`,
    );
  }
  for (const [index, figure] of figures.entries()) lines.push(...row(figure, TITLE + index * ROW, x));
  if (figures[0]?.unit === '×') {
    lines.push(`<path class="base" stroke-dasharray="3 3" d="M${x(1)} ${TITLE - 8}v${height + 8}"/>`);
  }
  return lines.join('\n');
}

function row(figure: Figure, top: number, x: (value: number) => string): string[] {
  const { name, value, spread, limit, atLeast } = figure;
  const middle = top + BAR / 2;
  const end = Math.max(value, spread?.[1] ?? 0, atLeast === undefined ? (limit ?? 0) : 0);
  const width = (Number(x(value)) - Number(x(0))).toFixed(1);
  const lines = [
    `<text x="8" y="${middle + 4}">${escapeXml(name)}</text>`,
    `<rect class="${colourOf(figure)}" x="${x(0)}" y="${top}" width="${width}" height="${BAR}" rx="2"/>`,
  ];
  if (spread) lines.push(`<path class="spread" d="M${x(spread[0])} ${middle}H${x(spread[1])}"/>`);
  if (limit !== undefined && atLeast === undefined) {
    lines.push(`<path class="limit" d="M${x(limit)} ${top - 3}v${BAR + 6}"/>`);
  }
  lines.push(`<text class="value" x="${Number(x(end)) + 8}" y="${middle + 4}">${escapeXml(format(figure))}</text>`);
  return lines;
}

/** The names of other packages and of bases of the comparisons: their bars have another colour. */
const OTHERS = /^(?:fetch|ky$|stripe|openai|svix|standardwebhooks|@|no feed|one after the other)|jsona$/;

function colourOf({ name, value, limit = Number.POSITIVE_INFINITY, atLeast }: Figure): string {
  if (OTHERS.test(name)) return 'other';
  return atLeast === undefined && value > limit ? 'over' : 'ours';
}

function legendOf(panels: Panel[]): string {
  const figures = panels.flatMap(panel => panel.figures);
  const notes = ['Shorter is better.'];
  if (figures.some(({ spread }) => spread)) notes.push('Thin line: the middle half of the rounds.');
  if (figures.some(({ atLeast, limit }) => limit !== undefined && atLeast === undefined)) notes.push('Mark: limit.');
  if (figures.some(({ atLeast }) => atLeast !== undefined)) notes.push('Band: ratios that count as equal.');
  return notes.join(' ');
}

function escapeXml(text: string): string {
  return text.replace(/[&<>]/g, character => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? character);
}
