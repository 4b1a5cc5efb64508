/** Runs snippets in a project in which the package is installed. Each page has its own process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { importsFor } from './given-names.ts';
import type { Outcome, Task, Turn } from './page-process.ts';
import { ROOT, type Snippet } from './pages.ts';

/**
 * Number of processes at the same time. More processes would not be faster, because the compiler runs at the same time.
 */
const CONCURRENCY = 2;

/** The outcome of each snippet. Snippets that are not run are left out. */
export async function run(snippets: readonly Snippet[]): Promise<Map<Snippet, Outcome>> {
  const project = createProject();
  const pages = new Set(snippets.map(({ page }) => page)).values();
  const outcomes = new Map<Snippet, Outcome>();
  // All workers take the next page from one iterator.
  const work = async () => {
    for (const page of pages) {
      const ofPage = snippets.filter(snippet => snippet.page === page && snippet.isRun);
      for (const [snippet, outcome] of await runPage(ofPage, project)) outcomes.set(snippet, outcome);
    }
  };
  try {
    await Promise.all(Array.from({ length: CONCURRENCY }, work));
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
  return outcomes;
}

/** Creates a directory in which the package, and the packages in `node_modules/`, can be imported. */
export function createProject(): string {
  const project = mkdtempSync(join(tmpdir(), 'docs-'));
  const modules = join(project, 'node_modules');
  mkdirSync(modules);
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter(name => !name.startsWith('.'))) {
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  symlinkSync(ROOT, join(modules, 'container-tracking-sdk'));
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'reader', private: true, type: 'module' }));
  return project;
}

/**
 * Writes the snippets of a page to files, and returns their paths. A snippet is written to the path that the page
 * gives, or to a file in a separate directory. Snippets that Node cannot run are compiled. If `compiles` is false, they
 * are written unchanged.
 */
export function writeSnippets(snippets: readonly Snippet[], directory: string, compiles = true): string[] {
  const imports = importsFor(snippets, module => join(ROOT, module));
  return snippets.map((snippet, index) => {
    const path = snippet.file ?? join(String(index), `snippet.${snippet.language === 'cjs' ? 'cjs' : 'ts'}`);
    const isCompiled = compiles && needsCompiler(snippet);
    const file = join(directory, isCompiled ? path.replace(/\.tsx?$/, '.js') : path);
    // Node, unlike the frameworks, needs the ending of a file.
    const code = compiles ? snippet.code.replaceAll(/(?<=from '\.[^']*\/\w+)'/g, ".ts'") : snippet.code;
    const module = `${imports[index]}\n${code}\n${snippet.language === 'cjs' ? '' : 'export {};\n'}`;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, isCompiled ? compiled(module) : module);
    return file;
  });
}

async function runPage(snippets: Snippet[], project: string): Promise<Map<Snippet, Outcome>> {
  const files = writeSnippets(snippets, mkdtempSync(join(project, 'page-')));
  const turns = snippets.map(({ isEndless }, index): Turn => ({ file: files[index] ?? '', isEndless }));
  const task: Task = { turns };
  const child = spawn(
    process.execPath,
    ['--no-warnings', join(import.meta.dirname, 'page-process.ts'), JSON.stringify(task)],
    {
      cwd: project,
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: { ...process.env, NODE_OPTIONS: '' },
    },
  );
  const received: Outcome[] = [];
  let crash = '';
  // The process itself stops a snippet after 20 s. It cannot do this if the snippet blocks the process.
  const watchdog = setTimeout(() => child.kill('SIGKILL'), 30_000);
  child.on('message', outcome => {
    received.push(outcome as Outcome);
    watchdog.refresh();
  });
  child.stderr?.on('data', chunk => {
    crash += chunk;
  });
  await once(child, 'close');
  clearTimeout(watchdog);
  return new Map(
    snippets.map((snippet, index) => {
      const { failure, output } = received[index] ?? { failure: `The process of the page ended. ${crash}`, output: '' };
      const file = turns[index]?.file ?? '';
      const text = failure?.replaceAll(new RegExp(`(file://)?${file}:(\\d+)`, 'g'), (_all, _scheme, line) => {
        return `${snippet.page}:${snippet.line + Number(line) - 1}`;
      });
      return [snippet, { output, ...(text !== undefined && { failure: text }) }];
    }),
  );
}

/** True if a snippet has syntax that Node cannot run by stripping the types. The snippet must then be compiled. */
function needsCompiler({ language, code }: Snippet): boolean {
  return language === 'tsx' || /^\s*@\w+\(/m.test(code);
}

function compiled(module: string): string {
  return ts.transpileModule(module, {
    compilerOptions: {
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.ESNext,
      jsx: ts.JsxEmit.ReactJSX,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    },
  }).outputText;
}
