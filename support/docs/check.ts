/** Compiles snippets with the settings of a reader: `strict`, without the stricter settings of this project. */
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { importsFor } from './given-names.ts';
import { ROOT, type Snippet } from './pages.ts';

/**
 * The errors of the compiler for each snippet. All snippets are in one program, because the types of the package take
 * most of the time.
 */
export function check(snippets: readonly Snippet[]): string[][] {
  const imports = importsFor(snippets, module => join(ROOT, module));
  const paths = snippets.map(({ page, file, language }, index) =>
    join(ROOT, page, file ?? `snippet-${index}.${language === 'tsx' ? 'tsx' : 'ts'}`),
  );
  const codes = new Map<string, string>();
  for (const [index, { code, isChecked }] of snippets.entries()) {
    // The imports are on the line of the fence, so that the code has the same line numbers as on the page.
    if (isChecked) codes.set(paths[index] ?? '', `${imports[index]}\n${code}\nexport {};\n`);
  }
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, ROOT);
  Object.assign(options, {
    exactOptionalPropertyTypes: false,
    noUncheckedIndexedAccess: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
    noImplicitReturns: false,
    erasableSyntaxOnly: false,
    jsx: ts.JsxEmit.Preserve,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    experimentalDecorators: true,
  });
  const host = ts.createCompilerHost(options);
  const { fileExists, readFile, getSourceFile } = host;
  // The compiler looks for a file that a snippet imports only if the directory of the file exists.
  const directories = new Set(Array.from(codes.keys(), path => dirname(path)));
  host.directoryExists = path => directories.has(path) || ts.sys.directoryExists(path);
  host.fileExists = path => codes.has(path) || fileExists(path);
  host.readFile = path => codes.get(path) ?? readFile(path);
  host.getSourceFile = (path, ...rest) => {
    const code = codes.get(path);
    if (code === undefined) return getSourceFile(path, ...rest);
    return ts.createSourceFile(path, code, ts.ScriptTarget.ESNext, true);
  };
  const program = ts.createProgram([...codes.keys()], options, host);
  return snippets.map((snippet, index) => {
    const file = program.getSourceFile(paths[index] ?? '');
    if (!file || !snippet.isChecked) return [];
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(
      ({ start = 0, messageText }) => {
        const { line } = file.getLineAndCharacterOfPosition(start);
        return `${snippet.page}:${snippet.line + line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
      },
    );
  });
}
