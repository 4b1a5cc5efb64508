import ts from 'typescript';

/** The compiler options of a program that lists the names in the declarations or sources of the package. */
export const READER_COMPILER: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts', 'lib.dom.asynciterable.d.ts'],
  strict: true,
  skipLibCheck: true,
  types: ['node'],
};
