import { pathToFileURL } from 'node:url';
import type { WireDocument, WireResource } from '../src/jsonapi/document.ts';
import { includeTree } from '../src/jsonapi/include.ts';
import { Linker } from '../src/jsonapi/link.ts';
import { checkDocument, type ExpectedData } from '../src/schemas/check.ts';
import { median, type Ratio, spreadOf } from '../support/benchmarks/measure.ts';
import { containersPage, eventsPage, fixture } from './fixtures.ts';

interface Sample {
  name: string;
  text: string;
  include: string[];
  expected: ExpectedData;
}

const SAMPLES: Sample[] = [
  {
    name: 'one party',
    text: JSON.stringify({ data: JSON.parse(fixture('parties.list.json')).data[0] }),
    include: [],
    expected: { types: ['party'] },
  },
  {
    name: 'shipment with all it includes',
    text: compact(fixture('shipments.get.include.json')),
    include: [
      'containers',
      'port_of_lading',
      'port_of_discharge',
      'pod_terminal',
      'destination',
      'destination_terminal',
    ],
    expected: { types: ['shipment'] },
  },
  {
    name: 'page of 100 containers',
    text: containersPage(100),
    include: ['shipment', 'shipment.port_of_lading', 'shipment.port_of_discharge', 'pod_terminal'],
    expected: { types: ['container'] },
  },
  {
    name: 'page of 100 events',
    text: eventsPage(100),
    include: ['location', 'terminal'],
    expected: { types: ['transport_event'] },
  },
  {
    name: 'hits of a search',
    text: compact(fixture('search.json')),
    include: [],
    expected: { types: ['search_result', 'shipment', 'cargo', 'tracking_request'], schema: 'search_result' },
  },
];

const ROUNDS = 200;

/**
 * Number of characters that one turn parses. Small samples are repeated up to this number, so that all turns take about
 * the same time.
 */
const TURN_LENGTH = 200_000;

/** The time that the check adds to linking, as a share of the time of parsing the same text. */
export function validating(): Ratio[] {
  return SAMPLES.map(sample => {
    return { group: 'validating', name: sample.name, against: 'JSON.parse', ...share(sample), limit: 0.4 };
  });
}

/** Both variants take turns, each with documents that were parsed just before. */
function share({ text, include, expected }: Sample): Pick<Ratio, 'ratio' | 'ms' | 'spread'> {
  const tree = includeTree(include);
  const times = { parse: [] as number[], link: [] as number[], both: [] as number[] };
  const count = Math.max(1, Math.round(TURN_LENGTH / text.length));

  const turn = (checked: boolean, counted: boolean) => {
    const start = performance.now();
    const documents = Array.from({ length: count }, () => JSON.parse(text) as WireDocument);
    const parsed = performance.now();
    for (const document of documents) {
      if (checked && checkDocument(document, expected).length > 0)
        throw new Error('A sample does not fit the schemas.');
      const linker = new Linker(document, { asked: true });
      for (const resource of [document.data].flat()) linker.record(resource as WireResource, tree);
    }
    const done = performance.now();
    if (!counted) return;
    times.parse.push((parsed - start) / count);
    times[checked ? 'both' : 'link'].push((done - parsed) / count);
  };

  for (let round = -ROUNDS / 5; round < ROUNDS; round += 1) {
    const first = round % 2 === 0;
    turn(first, round >= 0);
    turn(!first, round >= 0);
  }
  const ms = median(times.both) - median(times.link);
  const parse = median(times.parse);
  const spread = spreadOf(times.both.map((both, round) => (both - (times.link[round] ?? Number.NaN)) / parse));
  return { ratio: ms / parse, ms, spread };
}

function compact(json: string): string {
  return JSON.stringify(JSON.parse(json));
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  for (const { name, ratio, ms, limit } of validating()) {
    console.log(`${name.padEnd(32)} ${ratio.toFixed(3)} × JSON.parse (limit ${limit}), ${(ms * 1000).toFixed(1)} µs`);
  }
}
