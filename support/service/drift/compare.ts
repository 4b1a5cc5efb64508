import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { openApiDocument } from '../generate-openapi.ts';
import { factsOf } from './read.ts';

export interface Drift {
  /** What the description lacks. */
  missing: string[];
  /** What only the description has. */
  extra: string[];
}

const ALLOWED = new URL('../../../description/allowed-drift.yaml', import.meta.url);

/** Where a document of the service and the description differ. A fact below one that differs as a whole is not told. */
export function drift(document: Record<string, unknown>): Drift {
  const [theirs, ours] = [factsOf(document), factsOf(openApiDocument())];
  const allowed: Record<string, string> = parse(readFileSync(ALLOWED, 'utf8')) ?? {};
  const lacking = (facts: ReadonlySet<string>, from: ReadonlySet<string>) => {
    const lines = [...from].filter(fact => !facts.has(fact) && !(fact in allowed));
    return lines.filter(line => !lines.some(other => line !== other && line.startsWith(`${other} `))).sort();
  };
  return { missing: lacking(ours, theirs), extra: lacking(theirs, ours) };
}

/** The document in a file, JSON or YAML. */
export function documentIn(path: string): Record<string, unknown> {
  const document: unknown = parse(readFileSync(path, 'utf8'));
  if (typeof document !== 'object' || document === null || !('paths' in document))
    throw new Error(`${path} is not an OpenAPI document: it has no paths.`);
  return document as Record<string, unknown>;
}
