import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { openApiDocument } from '../generate-openapi.ts';
import { factsOf } from './read.ts';

export interface Drift {
  /** The facts that the description lacks. */
  missing: string[];
  /** The facts that only the description has. */
  extra: string[];
}

const ALLOWED = new URL('../../../description/allowed-drift.yaml', import.meta.url);

/**
 * The differences between a document of the service and the description. If only the document or only the description
 * has a fact, the facts that begin with this fact are not listed.
 *
 * @param allowed Differences that are not listed: the lines of `description/allowed-drift.yaml`.
 */
export function drift(document: Record<string, unknown>, allowed = allowedDrift()): Drift {
  const [theirs, ours] = [factsOf(document), factsOf(openApiDocument())];
  const lacking = (sign: string, facts: ReadonlySet<string>, from: ReadonlySet<string>) => {
    const lines = [...from].filter(fact => !facts.has(fact));
    return lines
      .filter(line => !lines.some(other => line !== other && line.startsWith(`${other} `)))
      .filter(line => !allowed.some(pattern => pattern.test(`${sign} ${line}`)))
      .sort();
  };
  return { missing: lacking('+', ours, theirs), extra: lacking('-', theirs, ours) };
}

export function allowedDrift(): RegExp[] {
  const reasons: Record<string, string> = parse(readFileSync(ALLOWED, 'utf8')) ?? {};
  return Object.keys(reasons).map(line => {
    const source = line.replace(/[.*+?^${}()|[\]\\]/g, character => (character === '*' ? '.*' : `\\${character}`));
    return new RegExp(`^${source}$`);
  });
}

/** The document in a file, JSON or YAML. */
export function documentIn(path: string): Record<string, unknown> {
  const document: unknown = parse(readFileSync(path, 'utf8'));
  if (typeof document !== 'object' || document === null || !('paths' in document))
    throw new Error(`${path} is not an OpenAPI document: it has no paths.`);
  return document as Record<string, unknown>;
}
