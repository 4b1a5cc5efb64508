/**
 * Prints the functions of `src/` that run when `client.containers.list()` reads its first page, in the order of their
 * first call. Also prints the number of their files, and the number of moves between files. Every function counts, also
 * callbacks and getters. The functions of the sandbox, which sends the responses, do not count.
 *
 * node support/call-path.ts
 */
import { registerHooks } from 'node:module';
import { relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import MagicString from 'magic-string';
import ts from 'typescript';
import { createSandbox } from './sandbox.ts';

const SRC = resolve(import.meta.dirname, '../src');
/** The functions that have run, with an entry for each call. */
const entered: { file: string; name: string; place: number }[] = [];
Object.assign(globalThis, {
  entered: (file: string, name: string, place: number) => void entered.push({ file, name, place }),
});

// The sandbox shares modules with the client, so the client's copies are loaded again under another address.
registerHooks({
  resolve(specifier, context, next) {
    const { url, ...resolved } = next(specifier, context);
    const isTraced = context.parentURL?.endsWith('?traced') && url.startsWith(`file://${SRC}`);
    return { ...resolved, url: isTraced ? `${url}?traced` : url };
  },
  load(url, context, next) {
    const loaded = next(url, context);
    if (!url.endsWith('?traced') || !loaded.source) return loaded;
    return { ...loaded, source: traced(relative(SRC, fileURLToPath(url)), String(loaded.source)) };
  },
});

/** A source in which each function first calls a function that records its name. */
function traced(file: string, source: string): string {
  const text = new MagicString(source);
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body) {
      const call = `entered(${JSON.stringify(file)}, ${JSON.stringify(nameOf(node))}, ${node.pos})`;
      if (ts.isBlock(node.body)) text.appendLeft(node.body.getStart() + 1, `${call};`);
      else text.appendLeft(node.body.getStart(), `(${call}, `).appendRight(node.body.end, ')');
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  return text.toString();
}

/** The name of a function, or of the variable or property that an arrow function is assigned to. */
function nameOf(node: ts.Node): string {
  if (ts.isConstructorDeclaration(node)) return `new ${node.parent.name?.text}`;
  const named = [node, node.parent].find(candidate => 'name' in candidate) as ts.NamedDeclaration | undefined;
  return named?.name?.getText() ?? 'a callback';
}

const sandbox = createSandbox({ speed: 0 });
sandbox.seedContainers(2);
const { baseUrl } = await sandbox.listen();
const { TrackingClient }: typeof import('../src/index.ts') = await import(`${SRC}/index.ts?traced`);
const client = new TrackingClient({ baseUrl, apiKey: 'sandbox' });
// The first call loads the schemas.
await client.containers.list();
await new Promise(resolve => setTimeout(resolve, 500));
entered.length = 0;
await client.containers.list();

// A function that runs again, for example for the next record, is listed once.
const run = [...new Map(entered.map(call => [`${call.file} ${call.place}`, call])).values()];
const files = new Set(run.map(({ file }) => file));
const moves = run.filter(({ file }, index) => index > 0 && file !== run[index - 1]?.file).length;
for (const [index, { file, name }] of run.entries()) {
  console.log(`${file === run[index - 1]?.file ? ' '.repeat(file.length) : file}  ${name}`);
}
console.log(`\n${files.size} files, ${moves} moves between them, ${run.length} functions`);
process.exit();
