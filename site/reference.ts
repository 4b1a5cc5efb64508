import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { entries } from '../scripts/entries.ts';
import { filesBelow, ROOT } from './sections.ts';

const PACKAGE = 'container-tracking-sdk';
const FOLDER = 'api';

/** The site's description of each entry. */
export const CONTENTS: Record<keyof typeof entries, string> = {
  index: 'The client, its errors, the types of the records, and helpers for dates, deadlines, charges and numbers.',
  schemas: 'zod schemas of every record in the wire format.',
  webhooks: 'Verification, receiver, inbox, router and worker. Needs no client.',
  'webhooks/sqlite': 'An inbox in a SQLite file.',
  sandbox: 'An emulation of the service, for development and tests.',
  'sandbox/msw': 'The sandbox as handlers of msw.',
  redis: 'A rate limiter and an inbox that many processes can share.',
  bottleneck: 'An existing Bottleneck instance as the rate limiter.',
  postgres: 'A store for sync and an inbox in PostgreSQL.',
  sync: 'A database that stays in step with the service.',
  'sync/sqlite': 'The store of sync in a SQLite file.',
  'sync/kysely': 'The types of the tables of sync for Kysely.',
  'sync/drizzle': 'The tables of sync for Drizzle, with their relations.',
  'sync/testing': 'The conformance suite for a store of your own.',
  mcp: 'A typed client of an MCP endpoint.',
  'mcp-server': 'The tracking tools for AI clients.',
  otel: 'Spans and metrics for OpenTelemetry.',
};

/**
 * Writes a page for each public name and for each entry of the package, from the docstrings of the sources. A broken link in
 * a docstring is an error.
 */
export function writeReference(pages: string, temporary: string): void {
  const modules = Object.entries(CONTENTS).map(([name, contents]) => {
    const source = entries[name as keyof typeof entries];
    const file = join(temporary, 'entries', name === 'index' ? `${PACKAGE}.ts` : `${PACKAGE}/${name}.ts`);
    mkdirSync(resolve(file, '..'), { recursive: true });
    const from = relative(resolve(file, '..'), join(ROOT, source));
    writeFileSync(file, `/**\n * ${contents}\n * @module\n */\nexport * from '${from}';\n`);
    return file;
  });
  const project = join(temporary, 'tsconfig.json');
  const base = join(ROOT, 'tsconfig.json');
  writeFileSync(project, JSON.stringify({ extends: base, compilerOptions: { rootDir: ROOT }, files: modules }));
  const out = join(pages, FOLDER);
  const options = join(temporary, 'typedoc.json');
  writeFileSync(
    options,
    JSON.stringify({
      name: 'Every public name',
      entryPoints: modules,
      tsconfig: project,
      basePath: join(temporary, 'entries'),
      displayBasePath: join(temporary, 'entries'),
      out,
      plugin: ['typedoc-plugin-markdown', join(import.meta.dirname, 'typedoc-plugin.mjs')],
      readme: 'none',
      disableGit: true,
      disableSources: true,
      skipErrorChecking: true,
      excludePrivate: true,
      excludeProtected: true,
      excludeInternal: true,
      excludeExternals: true,
      treatWarningsAsErrors: true,
      validation: { notExported: false, invalidLink: true, rewrittenLink: true, invalidPath: true },
      entryFileName: 'index',
      hidePageHeader: true,
      useCodeBlocks: true,
      groupOrder: ['Functions', 'Classes', 'Interfaces', 'Type Aliases', 'Variables', '*'],
      indexFormat: 'table',
      parametersFormat: 'table',
    }),
  );
  const typedoc = join(import.meta.dirname, 'node_modules/typedoc/bin/typedoc');
  const { status } = spawnSync(process.execPath, [typedoc, '--options', options, '--logLevel', 'Warn'], {
    stdio: 'inherit',
    cwd: import.meta.dirname,
  });
  if (status !== 0) throw new Error('TypeDoc has found mistakes in the docstrings, or has failed.');
  for (const path of filesBelow(pages, FOLDER)) tidy(join(pages, path), path);
  rmSync(temporary, { recursive: true, force: true });
  if (!existsSync(join(out, 'index.md'))) throw new Error(`TypeDoc has written nothing to ${out}.`);
}

/** A schema repeats the fields of its record, which has its own page. So only this number of lines is shown. */
const LONGEST_TYPE = 30;

function tidy(file: string, path: string): void {
  const text = readFileSync(file, 'utf8');
  // Docstrings cite sections of the documentation by their paths in the package.
  const up = '../'.repeat(path.split('/').length - 1);
  const linked = text.replace(
    /\bdocs\/((?:service|guides)\/[\w-]+\.md)(#[\w-]+)?/g,
    (cited, page, anchor = '') => `[${cited}](${up}${page}${anchor})`,
  );
  const tidied = path.includes('/schemas/') ? linked.replace(/^```ts\n([\s\S]*?)\n```$/gm, shortened) : linked;
  if (tidied !== text) writeFileSync(file, tidied);
}

function shortened(block: string, code: string): string {
  const lines = code.split('\n');
  return lines.length <= LONGEST_TYPE ? block : `\`\`\`ts\n${lines.slice(0, LONGEST_TYPE).join('\n')}\n// …\n\`\`\``;
}
