import { join, resolve } from 'node:path';
import ts from 'typescript';
import { methodTests } from './type-tests.ts';

const ROOT = resolve(import.meta.dirname, '../..');
/** The files are not written: the compiler receives their text. */
const FOLDER = join(ROOT, 'test/generated');

/** The compiler's complaints about the types of each method; none if the types match the description. */
export function typeVerdicts(files: Record<string, string> = methodTests()) {
  const sources = new Map(Object.entries(files).map(([name, text]) => [join(FOLDER, `${name}.ts`), { name, text }]));
  const { config } = ts.readConfigFile(join(ROOT, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, ROOT);
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = file => sources.has(file) || fileExists.call(host, file);
  host.readFile = file => sources.get(file)?.text ?? readFile.call(host, file);
  host.getSourceFile = (file, ...rest) => {
    const source = sources.get(file);
    return source
      ? ts.createSourceFile(file, source.text, ts.ScriptTarget.ES2022, true)
      : getSourceFile.call(host, file, ...rest);
  };
  const program = ts.createProgram(
    [...sources.keys()],
    { ...options, noUnusedLocals: false, noUnusedParameters: false },
    host,
  );
  const verdicts = new Map<string, string[]>();
  for (const [file, { name, text }] of sources) {
    const source = program.getSourceFile(file);
    const lines = text.split('\n');
    const errors = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    verdicts.set(
      name,
      errors.map(({ start = 0, messageText }) => {
        const line = source ? source.getLineAndCharacterOfPosition(start).line : 0;
        return `${name}: ${lines[line]?.trim()}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
      }),
    );
  }
  return verdicts;
}
