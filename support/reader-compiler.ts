import ts from 'typescript';

/** How a program reads the declarations of the package, or its sources, to tell what they hold. */
export const READER_COMPILER: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  strict: true,
  skipLibCheck: true,
  types: ['node'],
};
