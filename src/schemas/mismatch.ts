import type * as z from 'zod/mini';

/** A place where an answer does not match its schema. It never contains the value, which may be private. */
export interface SchemaMismatch {
  /**
   * Type of the resource, as the service sent it; `search_result` for a search hit. For an answer without resources, the
   * method: `webhooks.ips`.
   */
  resourceType: string;
  /** Path in the resource, such as `attributes.pod_eta_at`. `*` stands for any array index. Empty for the resource itself. */
  path: string;
  /** What the schema expects. */
  expected: string;
  /** The kind of the received value, not the value. */
  received: string;
  /** What was expected and what was received, as one sentence. */
  message: string;
}

/** No more mismatches are collected from one answer. */
const MAX_MISMATCHES = 1000;

/** zod checks no more values of one answer. Otherwise a large answer with a mismatch in every record would block for seconds. */
const MAX_ASKED = 5000;

/** Expected of a relationship that is well formed and leads to a record of a wrong type. */
const LEADS_TO = /^a (?:reference|list of references) to /;

type Issue = z.core.$ZodIssue;

/** The mismatches of one answer: each place once, in terms of JSON, without any value. */
export class Mismatches {
  /** Created at the first mismatch, because nearly every answer matches. */
  #found: Map<string, SchemaMismatch> | undefined;
  #asked = 0;

  all(): SchemaMismatch[] {
    return this.#found ? [...this.#found.values()] : [];
  }

  addType(type: string, expected: readonly string[]): void {
    this.#add(type, 'type', expected.join(' or '), 'another type');
  }

  /** Asks zod where the value does not match. */
  addOf(value: unknown, name: string, schema: z.ZodMiniType): void {
    if (this.#asked >= MAX_ASKED || this.#isFull) return;
    this.#asked += 1;
    for (const issue of issuesOf(value, schema)) {
      const path = issue.path.map(key => (typeof key === 'number' ? '*' : String(key))).join('.');
      const expected = expectation(issue);
      this.#add(name, path, expected, LEADS_TO.test(expected) ? 'another type' : kind(valueAt(value, issue.path)));
    }
  }

  get #isFull(): boolean {
    return this.#found !== undefined && this.#found.size >= MAX_MISMATCHES;
  }

  #add(resourceType: string, path: string, expected: string, received: string): void {
    if (this.#isFull) return;
    const message = `expected ${expected}, received ${received}`;
    this.#found ??= new Map();
    this.#found.set(`${resourceType} ${path} ${message}`, { resourceType, path, expected, received, message });
  }
}

function issuesOf(value: unknown, schema: z.ZodMiniType): Issue[] {
  try {
    return schema.safeParse(value).error?.issues.flatMap(closest) ?? [];
  } catch {
    // One list may have more issues than a call can have arguments.
    return [{ code: 'custom', path: [], message: 'its schema', input: undefined }];
  }
}

/** For a union whose options differ by a constant: the issues of the one option whose constant matches. */
function closest(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const meant = issue.errors.filter(
    issues => !issues.some(({ code }) => code === 'invalid_value' || code === 'custom'),
  );
  const [only] = meant;
  if (meant.length !== 1 || !only) return [issue];
  return only.flatMap(inner => closest({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** What an issue expected, in terms of JSON. */
function expectation(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.expected;
    case 'invalid_value':
      return issue.values.join(' or ');
    case 'invalid_format':
      return issue.format;
    case 'invalid_union':
      return [...new Set(issue.errors.flat().map(expectation))].join(' or ');
    case 'too_small':
    case 'too_big':
      return `${issue.origin} of another length`;
    case 'custom':
      return issue.message;
    default:
      return 'another value';
  }
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<PropertyKey, unknown> | null | undefined)?.[key], value);
}

function kind(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
