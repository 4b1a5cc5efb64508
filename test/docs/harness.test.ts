/** A snippet that is wrong must be noticed: the tests of what tests the documentation. */
import { expect, test } from 'vitest';
import { check } from '../../support/docs/check.ts';
import { parsePage, type Snippet } from '../../support/docs/pages.ts';
import { run } from '../../support/docs/run.ts';

const PAGE = 'docs/guides/page.md';

function snippetOf(code: string, info = 'ts'): Snippet {
  const [snippet] = parsePage(PAGE, `# Title\n\n## Heading\n\n\`\`\`${info}\n${code}\n\`\`\`\n`).snippets;
  if (!snippet) throw new Error('It is no snippet.');
  return snippet;
}

test('what the compiler refuses is told with the page and the line', () => {
  const wrong = snippetOf(`console.log(1);\nconst n = (await client.shipments.get(id)).nubmer;`);
  const implicit = snippetOf(`function f(a) {}`);
  const own = snippetOf(`const id = 4;\nconst text: string = id;`);
  const right = snippetOf(
    `import { milestones } from 'container-tracking-sdk';\nconsole.log(milestones.name, { id });`,
  );
  expect(check([wrong, implicit, own, right])).toEqual([
    [expect.stringMatching(/^docs\/guides\/page\.md:7: .*'nubmer' does not exist/)],
    [expect.stringContaining("'a' implicitly has an 'any' type")],
    [expect.stringContaining("'number' is not assignable to type 'string'")],
    [],
  ]);
}, 120_000);

test('what fails when it runs is told with the page and the line, and does not disturb the next', async () => {
  const failing = {
    throws: `console.log('before');\nthrow new Error('on purpose');`,
    rejects: `await client.shipments.get('00000000-0000-4000-8000-000000000000');`,
    'rejects where nobody waits': `void Promise.reject(new Error('on purpose'));`,
    'throws in a timer': `setTimeout(() => { throw new Error('on purpose'); });`,
    'ends the process': `process.exit(0);`,
    'sets an exit code': `process.exitCode = 3;`,
    'calls another host': `await fetch('https://elsewhere.example/');`,
  };
  const snippets = Object.values(failing).map(code => snippetOf(code));
  const endless = snippetOf(`console.log('over');`, 'ts endless');
  const right = snippetOf(`console.log((await client.shipments.get(id)).id === id);`);
  const outcomes = await run([...snippets, endless, right], { momentMs: 3_000 });
  expect(snippets.map(snippet => outcomes.get(snippet)?.failure)).toEqual([
    expect.stringMatching(/Error: on purpose\n\s+at docs\/guides\/page\.md:7:7/),
    expect.stringContaining('NotFoundError'),
    expect.stringMatching(/unhandledRejection: Error: on purpose\n\s+at docs\/guides\/page\.md:6/),
    expect.stringMatching(/uncaughtException: Error: on purpose\n/),
    expect.stringContaining('It ended the process with the code 0.'),
    'It set the exit code 3.',
    expect.stringContaining('ENOTFOUND elsewhere.example'),
  ]);
  expect(outcomes.get(snippets[0] as Snippet)?.output).toBe('before\n');
  expect(outcomes.get(endless)?.failure).toContain('its fence says that it is endless');
  expect(outcomes.get(right)).toEqual({ output: 'true\n' });
});

test('a snippet that does not end, or blocks its process, is noticed', async () => {
  const waiting = snippetOf(`setInterval(() => {}, 1000);\nawait new Promise(() => {});`);
  const blocking = snippetOf(`for (;;);`);
  const outcomes = await run([waiting, blocking], { limitMs: 1_000 });
  expect(outcomes.get(waiting)?.failure).toBe('It has not ended after 1000 ms.');
  expect(outcomes.get(blocking)?.failure).toContain('The process of the page ended.');
});

test('each snippet has a sandbox, a directory, ports and a host of its own', async () => {
  const code = `
import { existsSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { TrackingClient } from 'container-tracking-sdk';

console.log(existsSync('mine.txt'), existsSync('invoice.pdf'));
writeFileSync('mine.txt', '');
createServer((_, response) => response.end('served')).listen(3000);
await sleep(20);
console.log(await (await fetch('http://localhost:3000/')).text());
console.log(await (await fetch('https://my-host.example/tracking')).text());
const { shipment } = await new TrackingClient({ baseUrl: 'https://host.example/v2' }).track({ number: 'MAEU123456789', scac: 'MAEU' });
console.log(shipment.bill_of_lading_number, (await client.shipments.list()).meta?.total);
await sleep(60_000, undefined, { signal });`;
  const snippets = [snippetOf(code), snippetOf(code)];
  const outcomes = await run(snippets);
  for (const snippet of snippets) {
    expect(outcomes.get(snippet)).toEqual({ output: 'false true\nserved\nserved\nMAEU123456789 7\n' });
  }
});

test.each([
  ['```ts no-run\na;\n```', '"no-run" needs its reason'],
  ['<!-- not run: -->\n```ts no-run\na;\n```', '"no-run" needs its reason'],
  ['<!-- because -->\n```ts no-check\na;\n```', '"no-check" needs its reason'],
  ['```ts norun\na;\n```', '"norun"'],
  ['```javascript\na;\n```', '"javascript" is not a language'],
  ['```\na;\n```', '"" is not a language'],
  ['```ts\na;', 'no end'],
])('a fence that escapes the tests is noticed: %j', (text, complaint) => {
  expect(parsePage(PAGE, text).complaints).toEqual([expect.stringContaining(complaint)]);
});

test('a fence in a list, and one with a reason, are found', () => {
  const { snippets, complaints } = parsePage(
    PAGE,
    '1. Do:\n   ```ts\n   if (a) {\n     b;\n   }\n   ```\n\n<!-- not run: a service calls it -->\n```ts no-run\nc;\n```\n```sh\n# no heading\n```',
  );
  expect(complaints).toEqual([]);
  expect(snippets).toMatchObject([
    { code: 'if (a) {\n  b;\n}', isRun: true, isChecked: true, heading: '' },
    { code: 'c;', isRun: false, isChecked: true },
  ]);
});
