import { resolve } from 'node:path';
import { entries } from './entries.ts';

interface Graph {
  getModuleInfo(id: string): { isEntry: boolean; importers: readonly string[] } | null;
}

const ROOT = resolve(import.meta.dirname, '..');
const MAIN = resolve(ROOT, entries.index);
/** The entry points for programs without a client. They do not load the client. */
const WITHOUT_CLIENT = [entries.webhooks, entries['webhooks/sqlite'], entries.schemas].map(entry =>
  resolve(ROOT, entry),
);
/** The module that is loaded with the first list. */
const LISTS = resolve(ROOT, 'src/pagination/pages.ts');
/** The module that is loaded with the first call of a method that makes several requests. */
const WORKFLOWS = resolve(ROOT, 'src/workflows.ts');

/**
 * There are few chunks, because each chunk adds half a millisecond at import and some hundred bytes after compression.
 * `shared` has the modules that entries without a client also load, and `client` has the rest of the main entry.
 * `lists` and `workflows` are loaded on first use, and `delivery` is the part that `workflows` shares with `/webhooks`.
 * Each class exists in only one module of each format, except for the errors that `build-plugins.ts` copies:
 * `instanceof` recognises these errors by their brand. A group also includes the modules that its modules import,
 * unless an earlier group includes them.
 */
export const chunkGroups = (['shared', 'client', 'lists', 'delivery', 'workflows'] as const).map((name, index) => ({
  debugName: name,
  priority: 5 - index,
  name: (id: string, graph: Graph) => (chunkOf(id, graph) === name ? name : null),
}));

function chunkOf(id: string, graph: Graph): string | null {
  const users = usersOf(id, graph);
  const withoutClient = WITHOUT_CLIENT.some(entry => users.has(entry));
  // The entry itself only re-exports names of other modules.
  if (id === MAIN) return null;
  if (users.has(MAIN)) return withoutClient ? 'shared' : 'client';
  if (users.has(LISTS)) return 'lists';
  if (users.has(WORKFLOWS)) return withoutClient ? 'delivery' : 'workflows';
  return null;
}

/**
 * The entries that import a module statically, directly or through other modules. `LISTS` and `WORKFLOWS` count as
 * entries.
 */
function usersOf(id: string, graph: Graph, seen = new Set<string>()): Set<string> {
  const found = new Set<string>();
  if (seen.has(id)) return found;
  seen.add(id);
  const { isEntry = false, importers = [] } = graph.getModuleInfo(id) ?? {};
  if (isEntry || id === LISTS || id === WORKFLOWS) found.add(id);
  for (const importer of importers) {
    for (const user of usersOf(importer, graph, seen)) found.add(user);
  }
  return found;
}
