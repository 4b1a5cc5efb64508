/**
 * Finds every error that the sources construct: its class and its `code`, from the `new` expressions and the constructors of
 * the classes. A code that cannot be told this way is an error, so that no error escapes the catalogue.
 */
import { join, relative, resolve } from 'node:path';
import ts from 'typescript';
import manifest from '../../package.json' with { type: 'json' };
import { entries } from '../../scripts/entries.ts';
import { READER_COMPILER } from '../reader-compiler.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** A class of errors, with what its constructions tell. */
export interface ErrorClass {
  name: string;
  /** The class that it extends; `undefined` for the root. */
  parent: string | undefined;
  /** The entries that export it, as they are imported. */
  entries: string[];
  /** Its own public fields. */
  fields: string[];
  /** Its codes, each with the places that construct it. */
  codes: Map<string, string[]>;
}

/** What is known of a value without running the program. */
interface Known {
  texts?: readonly string[];
  properties?: ReadonlyMap<string, Known>;
}

type Scope = ReadonlyMap<string, Known | undefined>;

/** The sources of the package: its entries by the names that they are imported by. */
export function packageSources(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(entries).map(([name, file]) => [
      join(manifest.name, name === 'index' ? '' : name).replace(/\/$/, ''),
      resolve(ROOT, file),
    ]),
  );
}

/** The classes below the error named `root`, by their names. @param paths the files of the entries, by their names. */
export function errorClasses(paths: Record<string, string>, root = 'TrackingError'): Map<string, ErrorClass> {
  const program = ts.createProgram(Object.values(paths), {
    ...READER_COMPILER,
    allowImportingTsExtensions: true,
    noEmit: true,
    resolveJsonModule: true,
  });
  const checker = program.getTypeChecker();
  const folders = new Set(Object.values(paths).map(path => resolve(path, '..')));
  const files = program
    .getSourceFiles()
    .filter(({ fileName }) => [...folders].some(folder => fileName.startsWith(`${folder}/`)));
  const classes = new Map<string, ErrorClass>();
  for (const file of files) visit(file);
  for (const [entry, path] of Object.entries(paths)) addExports(entry, path);
  return classes;

  function visit(node: ts.Node): void {
    if (ts.isClassDeclaration(node) && lineage(node).at(-1)?.name?.text === root) add(node);
    if (ts.isNewExpression(node)) addConstruction(node);
    ts.forEachChild(node, visit);
  }

  function add(declaration: ts.ClassDeclaration): ErrorClass {
    const name = declaration.name?.text ?? '';
    const known = classes.get(name) ?? {
      name,
      parent: parentOf(declaration)?.name?.text,
      entries: [],
      fields: declaration.members.filter(isOwnField).map(member => member.name.getText()),
      codes: new Map(),
    };
    classes.set(name, known);
    return known;
  }

  function addConstruction(node: ts.NewExpression): void {
    const declaration = classOf(node.expression);
    if (!declaration || lineage(declaration).at(-1)?.name?.text !== root) return;
    const values = (node.arguments ?? []).map(argument => evaluate(argument, new Map()));
    const codes = codesOf(declaration, values);
    const file = node.getSourceFile();
    const place = relative(ROOT, file.fileName);
    if (!codes || codes.length === 0) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      throw new Error(`The code of ${node.expression.getText()} is not known at ${place}:${line + 1}.`);
    }
    const found = add(declaration).codes;
    for (const code of codes) found.set(code, [...new Set([...(found.get(code) ?? []), place])]);
  }

  /** What the constructor of the root gets as `options.code`, for these arguments. */
  function codesOf(
    declaration: ts.ClassDeclaration,
    values: readonly (Known | undefined)[],
  ): readonly string[] | undefined {
    const own = declaration.members.find(ts.isConstructorDeclaration);
    const parent = parentOf(declaration);
    if (!parent) return values[1]?.properties?.get('code')?.texts;
    if (!own) return codesOf(parent, values);
    const scope = new Map<string, Known | undefined>();
    own.parameters.forEach((parameter, index) => {
      const value = values[index] ?? (parameter.initializer && evaluate(parameter.initializer, scope));
      scope.set(parameter.name.getText(), value);
    });
    let call: ts.CallExpression | undefined;
    ts.forEachChild(own, function find(node) {
      if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword) call = node;
      else ts.forEachChild(node, find);
    });
    return (
      call &&
      codesOf(
        parent,
        call.arguments.map(argument => evaluate(argument, scope)),
      )
    );
  }

  function evaluate(expression: ts.Expression, scope: Scope): Known | undefined {
    if (ts.isStringLiteralLike(expression)) return { texts: [expression.text] };
    if (
      ts.isParenthesizedExpression(expression) ||
      ts.isAsExpression(expression) ||
      ts.isSatisfiesExpression(expression)
    )
      return evaluate(expression.expression, scope);
    if (ts.isConditionalExpression(expression))
      return either(evaluate(expression.whenTrue, scope), evaluate(expression.whenFalse, scope));
    if (ts.isBinaryExpression(expression) && expression.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
      return evaluate(expression.left, scope) ?? evaluate(expression.right, scope);
    if (ts.isIdentifier(expression) && scope.has(expression.text)) return scope.get(expression.text);
    if (ts.isPropertyAccessExpression(expression) && ts.isIdentifier(expression.expression)) {
      const { text } = expression.expression;
      if (scope.has(text)) return scope.get(text)?.properties?.get(expression.name.text);
    }
    if (ts.isObjectLiteralExpression(expression)) return { properties: propertiesOf(expression, scope) };
    return ofType(checker.getTypeAtLocation(expression), expression);
  }

  function propertiesOf(literal: ts.ObjectLiteralExpression, scope: Scope): Map<string, Known> {
    const properties = new Map<string, Known>();
    const set = (name: string, value: Known | undefined) => value && properties.set(name, value);
    for (const property of literal.properties) {
      if (ts.isPropertyAssignment(property)) set(property.name.getText(), evaluate(property.initializer, scope));
      if (ts.isShorthandPropertyAssignment(property)) set(property.name.text, evaluate(property.name, scope));
      if (!ts.isSpreadAssignment(property)) continue;
      for (const [name, value] of evaluate(property.expression, scope)?.properties ?? []) properties.set(name, value);
    }
    return properties;
  }

  /** The values of a type whose literals are known, and of its property `code`. */
  function ofType(type: ts.Type, at: ts.Node): Known | undefined {
    const members = type.isUnion() ? type.types : [type];
    const texts = members.filter(member => member.isStringLiteral()).map(member => member.value);
    if (texts.length > 0 && texts.length === members.length) return { texts };
    const code = type.getProperty('code');
    const value = code && ofType(checker.getTypeOfSymbolAtLocation(code, at), at);
    return value && { properties: new Map([['code', value]]) };
  }

  function classOf(expression: ts.Expression): ts.ClassDeclaration | undefined {
    const named = checker.getSymbolAtLocation(expression);
    const symbol = named && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
    return symbol?.declarations?.find(ts.isClassDeclaration);
  }

  function parentOf(declaration: ts.ClassDeclaration): ts.ClassDeclaration | undefined {
    const clause = declaration.heritageClauses?.find(({ token }) => token === ts.SyntaxKind.ExtendsKeyword);
    return clause?.types[0] && classOf(clause.types[0].expression);
  }

  function lineage(declaration: ts.ClassDeclaration): ts.ClassDeclaration[] {
    const parent = parentOf(declaration);
    return parent ? [declaration, ...lineage(parent)] : [declaration];
  }

  function addExports(entry: string, path: string): void {
    const source = program.getSourceFile(path);
    const module = source && checker.getSymbolAtLocation(source);
    for (const { name } of module ? checker.getExportsOfModule(module) : []) classes.get(name)?.entries.push(entry);
  }
}

function either(one: Known | undefined, other: Known | undefined): Known | undefined {
  if (!one?.texts || !other?.texts) return undefined;
  return { texts: [...one.texts, ...other.texts] };
}

function isOwnField(member: ts.ClassElement): member is ts.PropertyDeclaration {
  const hidden = ts.ModifierFlags.Static | ts.ModifierFlags.Private;
  return ts.isPropertyDeclaration(member) && !(ts.getCombinedModifierFlags(member) & hidden);
}
