import {
  type Contender,
  compare,
  medianOfRuns,
  type Ratio,
  steadily,
  takeTurns,
} from '../support/benchmarks/measure.ts';
import { startAnswering } from './answering.ts';
import { type Client, CONTROL, clients, FLOOR, OFF, WARN } from './clients.ts';

const ROUNDS = 30;
/** Number of calls in a turn. */
const CALLS = 100;
/**
 * Bounds of the ratio of two equal contenders. If the ratio is outside these bounds, the machine was busy with
 * something else.
 */
const SAME = { atLeast: 0.95, limit: 1.05 };
const ATTEMPTS = 5;
/** Number of runs. Number of runs. Each figure is the median of these runs. */
const RUNS = 5;

/** Upper bounds, as multiples of {@link FLOOR}, the minimum for a client with a timeout. */
const LIMITS = {
  'one after the other': { [OFF]: 1.14, [WARN]: 1.2 },
  '20 in flight': { [OFF]: 1.2, [WARN]: 1.28 },
};
/** Both of our clients must be faster than these clients. */
const BEHIND = ['openai', '@anthropic-ai/sdk'];

/**
 * The cost of a request, compared with a bare fetch that reads and parses the same response. All clients take turns in one
 * process.
 */
export async function overhead(): Promise<Ratio[]> {
  const server = await startAnswering();
  const warned: unknown[] = [];
  const { warn } = console;
  console.warn = (...message) => void warned.push(message);
  try {
    const all = await clients(server.origin);
    const results = [...(await group(all, 'one after the other', 1)), ...(await group(all, '20 in flight', 20))];
    if (warned.length > 0) throw new Error('A client has logged warnings.', { cause: warned });
    return results;
  } finally {
    console.warn = warn;
    await server.close();
  }
}

async function group(all: Client[], how: keyof typeof LIMITS, inFlight: number): Promise<Ratio[]> {
  const name = `request, ${how}`;
  const contenders = all.map(client => ({ name: client.name, run: () => callAll(client, inFlight) }));
  const measure = async () => {
    const times = await takeTurns(contenders, ROUNDS);
    const against = (base: string, limits: Record<string, number>) => versus(name, base, limits, contenders, times);
    const ratios = compare(name, contenders, times).map(ratio =>
      ratio.name === CONTROL ? { ...ratio, ...SAME } : ratio,
    );
    const ahead = BEHIND.flatMap(other => against(other, { [OFF]: 1, [WARN]: 1 }));
    return [...ratios, ...against(FLOOR, LIMITS[how]), ...ahead].map(ratio => ({ ...ratio, ms: ratio.ms / CALLS }));
  };
  const runs: Ratio[][] = [];
  for (let run = 0; run < RUNS; run += 1) runs.push(await steadily(ATTEMPTS, measure));
  return medianOfRuns(runs);
}

/** Compares every client that has a limit. The base of this comparison is not the first contender. */
function versus(
  name: string,
  base: string,
  limits: Record<string, number>,
  contenders: Contender[],
  times: number[][],
): Ratio[] {
  const names = [base, ...Object.keys(limits)];
  const indices = names.map(name => contenders.findIndex(contender => contender.name === name));
  const chosen = indices.map(index => contenders[index] as Contender);
  return compare(
    name,
    chosen,
    indices.map(index => times[index] ?? []),
    { limits },
  );
}

async function callAll({ name, get, isWhole }: Client, inFlight: number): Promise<void> {
  const worker = async () => {
    for (let call = 0; call < CALLS / inFlight; call += 1) {
      if (!isWhole(await get())) throw new Error(`${name}: the result differs from the response.`);
    }
  };
  if (inFlight === 1) await worker();
  else await Promise.all(Array.from({ length: inFlight }, worker));
}
