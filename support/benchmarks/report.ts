/**
 * Everything that is made from the figures of `docs/reference/benchmarks.json`: the page, the plots, and each figure in
 * the other pages.
 *
 * node support/benchmarks/report.ts   after a merge, or after a marker was written
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { GROUPS, type GroupName } from './groups.ts';
import { plot } from './plot.ts';
import { type Figure, isOver, type Results, readResults } from './results.ts';
import { FORMATS, format, number } from './text.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const PAGE = 'docs/reference/benchmarks.md';

/** Every generated file with its text. */
export function generated(results: Results): Map<string, string> {
  const files = new Map([[PAGE, page(results)]]);
  for (const [name, group] of Object.entries(results))
    files.set(imageOf(name), plot(GROUPS[name as GroupName].title, group));
  return files;
}

export function writeReport(): void {
  const results = readResults();
  for (const [file, text] of generated(results)) writeFileSync(join(ROOT, file), text);
  for (const file of pagesWithFigures()) {
    const text = readFileSync(file, 'utf8');
    const filled = fillIn(text, results);
    if (filled !== text) writeFileSync(file, filled);
  }
}

/** `<!-- figure ID FORMAT -->…<!-- /figure -->`: the text in between is the measured figure. */
export function fillIn(text: string, results: Results): string {
  const figures = new Map(Object.values(results).flatMap(group => group.figures.map(figure => [figure.id, figure])));
  return text.replace(
    /(<!-- figure (\S+) (\w+) -->).*?(<!-- \/figure -->)/gs,
    (_, opening: string, id: string, name: string, closing: string) => {
      const figure = figures.get(id);
      const write = Object.hasOwn(FORMATS, name) ? FORMATS[name as keyof typeof FORMATS] : undefined;
      if (!figure)
        throw new Error(`There is no figure ${id} in benchmarks.json; there are ${[...figures.keys()].join(', ')}.`);
      if (!write) throw new Error(`There is no format ${name} for a figure; there are ${Object.keys(FORMATS)}.`);
      return `${opening}${write(figure)}${closing}`;
    },
  );
}

/** The pages that people write. */
export function pagesWithFigures(): string[] {
  const folders = ['docs', 'docs/guides', 'docs/recipes'].map(folder => join(ROOT, folder)).filter(existsSync);
  const pages = folders.flatMap(folder => readdirSync(folder).map(name => join(folder, name)));
  return [join(ROOT, 'README.md'), ...pages.filter(file => file.endsWith('.md'))];
}

function page(results: Results): string {
  const sections = Object.entries(results).map(([name, { node, cpus, figures }]) => {
    const { title, about } = GROUPS[name as GroupName];
    return `## ${title}

${about}

![${title}: the figures of the table below as bars](../images/bench-${name}.svg)

${tables(figures)}

\`npm run bench ${name}\`, Node ${node}, ${cpus} CPUs.
`;
  });
  return `# Benchmarks

The benchmarks measure times, numbers of requests and bundle sizes of the package. [\`benchmarks.json\`](benchmarks.json) has the
same figures. To measure them again, run \`npm run bench\` in a checkout of the repository.

Most figures are ratios of two measurements from the same run, because times from two machines or two runs cannot be compared.
The spread is the range of the middle half of the rounds. Some tables have a control: the base is measured a second time, so the
figure of the control shows the noise of the run. A limit is the worst figure that the project accepts. "**exceeded**" marks a
figure that is worse than its limit. The column "time" has the time of one operation, for orientation.

${sections.join('\n')}`;
}

/** One table for each title. */
export function tables(figures: readonly Figure[]): string {
  const titles = [...new Set(figures.map(({ title }) => title))];
  return titles
    .map(title =>
      table(
        title,
        figures.filter(figure => figure.title === title),
      ),
    )
    .join('\n\n');
}

function table(title: string, figures: Figure[]): string {
  if (figures.every(({ against }) => against === undefined)) {
    const rows = figures.map(figure => [figure.name, format(figure), boundsOf(figure)]);
    return [`| ${title} | size | limit |`, '|---|---:|---:|', ...rows.map(cells => `| ${cells.join(' | ')} |`)].join(
      '\n',
    );
  }
  if (figures.every(({ requests }) => requests !== undefined)) {
    const { before, now, least } = FORMATS;
    const rows = figures.map(figure => {
      const { name, against = '' } = figure;
      return [name, against, format(figure), boundsOf(figure), least(figure), before(figure), now(figure)];
    });
    const head = [
      `| ${title} | against | figure | limit | at least | before | now |`,
      '|---|---|---:|---:|---:|---:|---:|',
    ];
    return [...head, ...rows.map(cells => `| ${cells.join(' | ')} |`)].join('\n');
  }
  const rows = figures.map(figure => {
    const { name, against = '', spread, unit, ms } = figure;
    const middle = spread ? `${number(spread[0], unit)} to ${number(spread[1], unit)}` : '';
    return [name, against, format(figure), middle, boundsOf(figure), ms === undefined ? '' : `${ms} ms`];
  });
  const head = [`| ${title} | against | figure | spread | limit | time |`, '|---|---|---:|---:|---:|---:|'];
  return [...head, ...rows.map(cells => `| ${cells.join(' | ')} |`)].join('\n');
}

function boundsOf(figure: Figure): string {
  const { limit, atLeast, unit } = figure;
  if (limit === undefined) return '';
  const bounds = `${atLeast === undefined ? '' : `${atLeast.toFixed(2)} to `}${number(limit, unit)}`;
  return isOver(figure) ? `${bounds} (**exceeded**)` : bounds;
}

function imageOf(name: string): string {
  return `docs/images/bench-${name}.svg`;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) writeReport();
