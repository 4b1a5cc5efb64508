/**
 * Counts the tokens of the texts that the MCP server sends to a model: the list of tools, and results of lists with 3,
 * 25 and 300 rows. Counts the same for two other servers, as a comparison. Text and structured content are counted
 * separately, because a host gives the model one of them, or both.
 *
 * node bench/mcp-tokens.ts
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { createSandbox } from '../src/sandbox/index.ts';
import { load } from './packages.ts';

const { encode } = await load<{ encode(text: string): number[] }>('gpt-tokenizer');
const tokensOf = (text: string) => encode(text).length;

const BIN = resolve(import.meta.dirname, 'node_modules/.bin');
const folder = mkdtempSync(join(tmpdir(), 'mcp-tokens-'));
for (let index = 0; index < 300; index += 1) writeFileSync(join(folder, `container-${index}.json`), '{}');

const sandbox = createSandbox({ shipments: 145, seed: 5, rateLimit: false, now: new Date() });
const service = await sandbox.listen();

interface Count {
  what: string;
  rows: number | undefined;
  text: number;
  data: number;
}

/** Counts the tokens of each response of a server. */
async function count(
  command: string,
  args: string[],
  calls: readonly (readonly [
    what: string,
    name: string,
    input: Record<string, unknown>,
    rows?: (data: never) => number,
  ])[],
): Promise<Count[]> {
  const env = {
    PATH: process.env.PATH ?? '',
    MEMORY_FILE_PATH: join(folder, 'memory'),
    TRACKING_BASE_URL: service.baseUrl,
    TRACKING_API_KEY: 'sandbox',
  };
  const client = new Client({ name: 'tokens', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env, stderr: 'ignore' }));
  try {
    const { tools } = await client.listTools();
    const counts: Count[] = [
      {
        what: `tools/list, ${tools.length} tools`,
        rows: tools.length,
        text: tokensOf(JSON.stringify({ tools })),
        data: 0,
      },
    ];
    for (const [what, name, input, rows] of calls) {
      const { content, structuredContent } = await client.callTool({ name, arguments: input });
      const texts = (content as { text?: string }[]).map(({ text = '' }) => text).join('\n');
      const data = structuredContent === undefined ? 0 : tokensOf(JSON.stringify(structuredContent));
      counts.push({ what, rows: rows?.(structuredContent as never), text: tokensOf(texts), data });
    }
    return counts;
  } finally {
    await client.close();
  }
}

const items = ({ items }: { items: unknown[] }) => items.length;
const listed = ({ groups }: { groups: { containers: unknown[] }[] }) =>
  groups.flatMap(({ containers }) => containers).length;
const ours = await count(
  process.execPath,
  [resolve(import.meta.dirname, '../src/cli/main.ts'), 'mcp'],
  [
    ['list_containers, 3 rows', 'list_containers', { page_size: 3 }, items],
    ['list_containers, 25 rows', 'list_containers', {}, items],
    ['What can be picked up?', 'worklist', { lists: ['ready'] }, listed],
    ['Which deadlines are near?', 'worklist', { lists: ['last_free_day'] }, listed],
    ['What runs into demurrage?', 'worklist', { lists: ['demurrage', 'last_free_day'] }, listed],
    ['What is held?', 'worklist', { lists: ['held'] }, listed],
    ['What is late?', 'worklist', { lists: ['late'] }, listed],
    ['What has changed since yesterday?', 'list_changes', {}, listed],
  ],
);
const files = await count(
  join(BIN, 'mcp-server-filesystem'),
  [folder],
  [
    ['list_directory, 300 rows', 'list_directory', { path: folder }, () => 300],
    ['search_files, 300 rows', 'search_files', { path: folder, pattern: '*.json' }, () => 300],
  ],
);
const memory = await count(
  join(BIN, 'mcp-server-memory'),
  [],
  [
    [
      'create_entities, 25 rows',
      'create_entities',
      {
        entities: Array.from({ length: 25 }, (_, index) => ({
          name: `MSCU${1_000_000 + index}`,
          entityType: 'container',
          observations: ['on_ship', 'Los Angeles', '2026-12-01'],
        })),
      },
      () => 25,
    ],
  ],
);

console.log('| server | what | rows | tokens of the text | of the data | a row |\n|---|---|---:|---:|---:|---:|');
for (const [server, counts] of Object.entries({ 'this package': ours, filesystem: files, memory })) {
  for (const { what, rows, text, data } of counts) {
    const each = rows ? Math.round(text / rows) : '';
    console.log(`| ${server} | ${what} | ${rows ?? ''} | ${text} | ${data || ''} | ${each} |`);
  }
}
await service.close();
rmSync(folder, { recursive: true });
