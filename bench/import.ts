import { type Difference, lowerQuartile, shuffled, spreadOf } from '../support/benchmarks/measure.ts';
import { installedProject, run } from './installed.ts';

const PROCESSES = 40;
const MAIN = 'the main entry';
/** Upper bounds of the additional time of an import, compared with the import of an empty package, in ms. */
const LIMITS: Record<string, number> = { [MAIN]: 6 };

/**
 * Additional time of `import()` of an entry, compared with an empty package. Each import runs in an installed project and in a
 * new process.
 */
export async function importTime(): Promise<Difference[]> {
  const project = installedProject();
  try {
    const contenders = Object.entries({
      'an empty package': 'empty',
      [MAIN]: 'container-tracking-sdk',
      'the schemas': 'container-tracking-sdk/schemas',
      webhooks: 'container-tracking-sdk/webhooks',
    }).map(([name, specifier], index) => ({
      name,
      file: project.program(
        `import-${index}`,
        `const start = performance.now();
        await import(${JSON.stringify(specifier)});
        console.log(performance.now() - start);`,
      ),
      times: [] as number[],
    }));
    for (let round = -3; round < PROCESSES; round += 1) {
      for (const { file, times } of shuffled(contenders)) {
        const { output } = await run(file);
        if (round >= 0) times.push(Number(output));
      }
    }
    const [empty, ...others] = contenders;
    const emptyTimes = empty?.times ?? [];
    return others.map(({ name, times }) => {
      const ms = lowerQuartile(times);
      const difference = ms - lowerQuartile(emptyTimes);
      const spread = spreadOf(times.map((time, round) => time - (emptyTimes[round] ?? Number.NaN)));
      const limit = LIMITS[name];
      const against = empty?.name ?? '';
      return { group: 'import()', name, against, difference, ms, spread, ...(limit !== undefined && { limit }) };
    });
  } finally {
    project.remove();
  }
}
