import { Jsona } from 'jsona';
import type { WireDocument, WireResource } from '../src/jsonapi/document.ts';
import { includeTree } from '../src/jsonapi/include.ts';
import { Linker } from '../src/jsonapi/link.ts';
import { median, type Ratio, spreadOf } from '../support/benchmarks/measure.ts';
import { containersPage, eventsPage } from './fixtures.ts';

const PAGES = [
  {
    name: 'page of 100 containers',
    text: containersPage(100),
    include: ['shipment', 'shipment.port_of_lading', 'shipment.port_of_discharge', 'pod_terminal'],
  },
  { name: 'page of 2,000 events', text: eventsPage(2000), include: ['location', 'terminal'] },
];

/**
 * The time of linking, as a share of the time of parsing the same text; also the growth of the linking time with the
 * size of the page.
 */
export function linking(): Ratio[] {
  const ratios: Ratio[] = [];
  for (const { name, text, include } of PAGES) {
    const link = timeAfterParse(text, document => linkAll(document, include));
    const jsona = timeAfterParse(text, document => new Jsona().deserialize(document as never));
    ratios.push({
      group: 'linking',
      name: `${name}, linker`,
      against: 'JSON.parse',
      ...link,
      limit: 0.25,
    });
    ratios.push({ group: 'linking', name: `${name}, jsona`, against: 'JSON.parse', ...jsona });
  }
  const [small = Number.NaN, large = Number.NaN] = [500, 8000].map(
    count => timeAfterParse(eventsPage(count), d => linkAll(d, ['location', 'terminal'])).ms,
  );
  const growth = large / small / (8000 / 500);
  ratios.push({
    group: 'linking, as a page grows',
    name: '8,000 events, per event',
    against: '500 events',
    ratio: growth,
    ms: large,
  });
  return ratios;
}

function linkAll(document: WireDocument, include: string[]): unknown {
  const linker = new Linker(document, { asked: true });
  const tree = includeTree(include);
  return (document.data as WireResource[]).map(resource => linker.record(resource, tree));
}

/** Medians over many rounds. In each round the text is parsed again. */
function timeAfterParse(
  text: string,
  run: (document: WireDocument) => unknown,
): Pick<Ratio, 'ratio' | 'ms' | 'spread'> {
  const ratios: number[] = [];
  const times: number[] = [];
  for (let round = -20; round < 200; round += 1) {
    const start = performance.now();
    const document = JSON.parse(text) as WireDocument;
    const parsed = performance.now();
    run(document);
    const done = performance.now();
    if (round < 0) continue;
    ratios.push((done - parsed) / (parsed - start));
    times.push(done - parsed);
  }
  return { ratio: median(ratios), ms: median(times), spread: spreadOf(ratios) };
}
