import { compare, lowerQuartile, type Ratio, shuffled } from '../support/benchmarks/measure.ts';
import { startAnswering } from './answering.ts';
import { FETCH, ID, INCLUDE, OFF, PATH, WARN } from './clients.ts';
import { installedProject, run } from './installed.ts';
import { urlOf } from './packages.ts';

const ROUNDS = 25;
/** Upper bounds of the time until the value is printed, as a multiple of the time of a bare fetch. */
const LIMITS = { [OFF]: 1.2, [WARN]: 1.35 };

/**
 * Measures two times from the start of a process: until it has printed the value of its first request, and until it
 * ends.
 */
export async function coldStart(): Promise<Ratio[]> {
  const server = await startAnswering();
  const project = installedProject();
  try {
    const contenders = Object.entries(programs()).map(([name, source], index) => ({
      name,
      file: project.program(`start-${index}`, source),
      toValue: [] as number[],
      toEnd: [] as number[],
    }));
    for (let round = -3; round < ROUNDS; round += 1) {
      for (const { name, file, toValue, toEnd } of shuffled(contenders)) {
        const result = await run(file, server.origin);
        if (result.output !== ID) throw new Error(`${name} printed ${result.output}.`);
        if (round < 0) continue;
        toValue.push(result.toOutput);
        toEnd.push(result.toEnd);
      }
    }
    const times = (which: 'toValue' | 'toEnd') => contenders.map(contender => contender[which]);
    const middle = lowerQuartile;
    return [
      ...compare('cold start, to the value', contenders, times('toValue'), { limits: LIMITS, middle }),
      ...compare('cold start, to the end', contenders, times('toEnd'), { middle }),
    ];
  } finally {
    project.remove();
    await server.close();
  }
}

/**
 * The measured programs. Each program gets the address of the server, and prints the id of the shipment as soon as it
 * has read the shipment.
 */
function programs(): Record<string, string> {
  const imported = (name: string) => JSON.stringify(urlOf(name));
  const own = (options: string) => `
    import { TrackingClient } from 'container-tracking-sdk';
    const client = new TrackingClient({ baseUrl: process.argv[2] + '/v2', apiKey: 'key'${options} });
    const include = ${JSON.stringify(INCLUDE)};
    const shipment = await client.shipments.get(${JSON.stringify(ID)}, { include });
    console.log(shipment.containers[0].number && shipment.id);`;
  return {
    [FETCH]: `
      const response = await fetch(process.argv[2] + ${JSON.stringify(`/v2${PATH}`)}, { headers: { authorization: 'Token key' } });
      console.log((await response.json()).data.id);`,
    [OFF]: own(`, validation: 'off'`),
    [WARN]: own(''),
    openai: `
      import OpenAI from ${imported('openai')};
      const client = new OpenAI({ apiKey: 'key', baseURL: process.argv[2] });
      console.log((await client.get(${JSON.stringify(PATH)})).data.id);`,
    stripe: `
      import Stripe from ${imported('stripe')};
      const { hostname, port } = new URL(process.argv[2]);
      const client = new Stripe('sk_test_key', { host: hostname, port, protocol: 'http' });
      console.log((await client.rawRequest('GET', ${JSON.stringify(PATH)})).data.id);`,
  };
}
