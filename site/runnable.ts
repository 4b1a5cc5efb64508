import ts from 'typescript';
import type { Given } from '../support/docs/given-names.ts';
import type { Snippet } from '../support/docs/pages.ts';
import { MODULE_NAMES } from './bundles.ts';

/** Names that only Node has, each with the reason not to run a snippet that uses the name. */
const GIVEN_BY_NODE: Record<string, string> = { redis: 'It needs Redis.', appendFileSync: 'It writes to a file.' };

/**
 * Reasons not to run a snippet that imports a module. The first pattern that matches is used. The order of the imports
 * has no effect.
 */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^(express|fastify|hono|@nestjs\/.*|node:https?)$/, 'It is a server.'],
  [/^(vitest|msw.*)$/, 'It is a test: a test runner runs it.'],
  [/^(pg|container-tracking-sdk\/postgres)$/, 'It needs PostgreSQL.'],
  [/^(redis|ioredis|container-tracking-sdk\/redis)$/, 'It needs Redis.'],
  [/^(node:sqlite|.*\/sqlite)$/, 'It keeps its data in a SQLite file.'],
  [/^\.\//, 'It is one of several files.'],
  [/^node:fs/, 'It reads or writes files.'],
  [/^node:/, 'It needs Node.js.'],
];

/** The reason why a snippet cannot run in a page, in one sentence. `undefined` if the snippet can run. */
export function reasonNotToRun(
  { code, language, isRun, whyNotRun }: Snippet,
  given: readonly Given[],
): string | undefined {
  if (language === 'tsx') return 'It is a component of a framework.';
  if (language === 'cjs') return 'It is a CommonJS module, which browsers do not have.';
  if (/@ts-expect-error/.test(code)) return 'It shows what the compiler refuses.';
  const imported = Array.from(code.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^'"]+)['"]/g), ([, name = '']) => name);
  for (const [pattern, reason] of REASONS) if (imported.some(name => pattern.test(name))) return reason;
  if (whyNotRun) return sentence(whyNotRun);
  if (!isRun) return 'It is not a whole program.';
  if (/^export /m.test(code)) return 'It is a part of a program, which calls what it exports.';
  if (declaresOnly(code)) return 'It only declares functions or types.';
  const absent = imported.find(name => !MODULE_NAMES.includes(name));
  if (absent) return `This page does not have ${absent}.`;
  // Options that are paths, or a list of paths.
  if (/\b(file|to): '/.test(code) || /\(file => \(\{ file \}\)\)/.test(code)) return 'It reads or writes files.';
  if (/\b(Bun|Deno)\./.test(code)) return 'It needs Bun or Deno.';
  if (/\bprocess\.(?!env\b)/.test(code)) return 'It needs a process of Node.js.';
  if (/\.listen\(/.test(code) && !imported.includes('container-tracking-sdk/sandbox')) return 'It is a server.';
  return given.flatMap(({ names }) => names.map(({ name }) => GIVEN_BY_NODE[name])).find(Boolean);
}

/**
 * True if a run would do nothing: other code calls what the snippet declares, but the snippet itself does not call it.
 */
function declaresOnly(code: string): boolean {
  const { statements } = ts.createSourceFile('snippet.ts', code, ts.ScriptTarget.ESNext);
  return statements.every(
    each => ts.isImportDeclaration(each) || (ts.isDeclarationStatement(each) && !ts.isExportAssignment(each)),
  );
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1).replace(/\.?$/, '.')}`;
}
