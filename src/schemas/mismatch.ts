import * as z from 'zod/mini';

export type Predicate = (value: unknown) => boolean;

type Schema = z.core.$ZodType;

/** The values that match a schema: all values of these kinds, and other values if the test accepts them. */
interface Rule {
  kinds: number;
  test: Predicate;
}

/**
 * The kinds of values, as bits. As in zod, `NaN` and infinite numbers are of the kind `OTHER`, not of the kind
 * `NUMBER`.
 */
const STRING = 1;
const NUMBER = 2;
const BOOLEAN = 4;
const NULL = 8;
const UNDEFINED = 16;
const OTHER = 32;
const ANY = 63;

const none: Predicate = () => false;

const rules = new WeakMap<Schema, Rule>();

/**
 * A function that has the result of `schema.safeParse(value).success`, but is many times faster: it copies nothing and
 * creates no issues. It consists of closures that are made from the definitions in the zod schema; no code is
 * generated. For some kinds of schemas there are no such closures. The function then calls zod. Therefore the result is
 * always the same as with zod.
 */
export function compile(schema: Schema): Predicate {
  const { kinds, test } = ruleOf(schema);
  return kinds === 0 ? test : value => (kinds & kindOf(value)) !== 0 || test(value);
}

function ruleOf(schema: Schema): Rule {
  const known = rules.get(schema);
  if (known) return known;
  // A schema may contain itself. Until its rule is ready, the schemas inside it use this function.
  rules.set(schema, { kinds: 0, test: value => compile(schema)(value) });
  const rule = knownRule(schema) ?? { kinds: 0, test: asked(schema) };
  rules.set(schema, rule);
  return rule;
}

/** The predicate that calls zod. */
function asked(schema: Schema): Predicate {
  return value => z.safeParse(schema, value).success;
}

function kindOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return STRING;
    case 'object':
      return value === null ? NULL : OTHER;
    case 'number':
      return Number.isFinite(value) ? NUMBER : OTHER;
    case 'boolean':
      return BOOLEAN;
    case 'undefined':
      return UNDEFINED;
    default:
      return OTHER;
  }
}

function knownRule(schema: Schema): Rule | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  if (def.checks?.length || ('coerce' in def && def.coerce)) return undefined;
  switch (def.type) {
    case 'unknown':
      return { kinds: ANY, test: none };
    case 'string':
      return is(schema, '$ZodCheck') ? formatRule(def) : { kinds: STRING, test: none };
    case 'number':
      return is(schema, '$ZodCheck') ? undefined : { kinds: NUMBER, test: none };
    case 'boolean':
      return { kinds: BOOLEAN, test: none };
    case 'literal':
    case 'enum':
      return { kinds: 0, test: oneOf(schema._zod.values as ReadonlySet<unknown>) };
    case 'custom':
      return { kinds: 0, test: custom(schema, def.fn) };
    case 'never':
      return { kinds: 0, test: none };
    case 'nullable':
      return also(NULL, ruleOf(def.innerType));
    case 'optional':
      return optionalRule(schema, def.innerType);
    case 'lazy':
      return ruleOf((schema as z.core.$ZodLazy)._zod.innerType);
    case 'union':
      return 'inclusive' in def && def.inclusive === false ? undefined : unionRule(def.options.map(ruleOf));
    case 'array':
      return { kinds: 0, test: array(ruleOf(def.element)) };
    case 'tuple':
      return tupleRule(def.items, def.rest);
    case 'object':
      return objectRule(def);
    default:
      return undefined;
  }
}

function is(schema: Schema, trait: string): boolean {
  return schema._zod.traits.has(trait);
}

function also(kind: number, { kinds, test }: Rule): Rule {
  return { kinds: kinds | kind, test };
}

/**
 * The rule of a string format that a function of this package checks. A format of zod may check more than its pattern.
 */
function formatRule({ fn }: z.core.$ZodStringDef & { fn?: (text: string) => unknown }): Rule | undefined {
  if (!fn) return undefined;
  return { kinds: 0, test: value => typeof value === 'string' && Boolean(fn(value)) };
}

function oneOf(values: ReadonlySet<unknown>): Predicate {
  const [only] = values;
  return values.size === 1 && typeof only === 'string' ? value => value === only : value => values.has(value);
}

function custom(schema: Schema, accepts: (value: never) => unknown): Predicate {
  const ask = asked(schema);
  return value => {
    const answer = accepts(value as never);
    return answer === true || (answer instanceof Promise ? ask(value) : Boolean(answer));
  };
}

function optionalRule(schema: Schema, inner: Schema): Rule | undefined {
  if (is(schema, '$ZodExactOptional')) return ruleOf(inner);
  return inner._zod.optin === 'defaulted' ? undefined : also(UNDEFINED, ruleOf(inner));
}

function unionRule(options: readonly Rule[]): Rule {
  const tests = options.map(({ test }) => test).filter(test => test !== none);
  const test: Predicate = value => {
    for (let i = 0; i < tests.length; i += 1) if (tests[i]?.(value)) return true;
    return false;
  };
  return {
    kinds: options.reduce((kinds, option) => kinds | option.kinds, 0),
    test: tests.length < 2 ? (tests[0] ?? none) : test,
  };
}

function array({ kinds, test }: Rule): Predicate {
  return value => {
    if (!Array.isArray(value)) return false;
    for (let i = 0; i < value.length; i += 1) {
      const item: unknown = value[i];
      if ((kinds & kindOf(item)) === 0 && !test(item)) return false;
    }
    return true;
  };
}

function tupleRule(items: readonly Schema[], rest: Schema | null): Rule | undefined {
  if (rest || items.some(({ _zod }) => _zod.optin !== undefined || _zod.optout !== undefined)) return undefined;
  const tests = items.map(compile);
  const test: Predicate = value => {
    if (!Array.isArray(value) || value.length !== tests.length) return false;
    for (let i = 0; i < tests.length; i += 1) if (!tests[i]?.(value[i])) return false;
    return true;
  };
  return { kinds: 0, test };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Member extends Rule {
  key: string;
  /**
   * True if an object without the key matches the schema. `undefined` means that such an object matches if the value
   * `undefined` matches.
   */
  absent: boolean | undefined;
  /** 1 for a key of the shape, 0 for the member that covers all other keys. */
  known: 0 | 1;
  /** Sequence number of the last object that had the key. */
  met: number;
}

/**
 * Upper bound for the number of keys whose order is remembered. It limits the memory that one unusual object can use.
 */
const MAX_ORDER = 256;

/**
 * Iterates over the keys of the object. This is several times faster than looking up each key of the shape. Objects of one type
 * nearly always have their keys in the same order. The order of the last object is remembered, and a key at the same position
 * needs no look-up.
 */
function objectRule({ shape, catchall }: z.core.$ZodObjectDef): Rule | undefined {
  if (Object.getOwnPropertySymbols(shape).length > 0) return undefined;
  const members = new Map<string, Member>();
  for (const key of Object.keys(shape)) if (key !== '__proto__') members.set(key, memberOf(key, shape[key] as Schema));
  const anything = { key: '', kinds: ANY, test: none, absent: true, known: 0, met: 0 } as const satisfies Member;
  const other = catchall ? { ...anything, ...ruleOf(catchall) } : anything;
  // zod skips the key `__proto__`, but reports it in a strict object.
  const skipsProto = Object.hasOwn(shape, '__proto__') || catchall?._zod.def.type !== 'never';
  const named = (key: string) => members.get(key) ?? (skipsProto && key === '__proto__' ? anything : other);

  const all = [...members.values()];
  const order: string[] = [];
  const found: Member[] = [];
  let objects = 0;

  const test: Predicate = value => {
    if (!isObject(value)) return false;
    objects += 1;
    const object = objects;
    let at = 0;
    let met = 0;
    for (const key in value) {
      let member: Member;
      if (order[at] === key) member = found[at] as Member;
      else {
        member = named(key);
        if (at < MAX_ORDER) {
          order[at] = key;
          found[at] = member;
        }
      }
      at += 1;
      const item = value[key];
      if ((member.kinds & kindOf(item)) === 0 && !member.test(item)) return false;
      member.met = object;
      met += member.known;
    }
    // The remaining keys are missing, inherited or not enumerable, so the iteration does not reach them.
    // Parsed JSON does not have such keys.
    return met === all.length || unmetFit(value, all, object);
  };
  return { kinds: 0, test };
}

function memberOf(key: string, schema: Schema): Member {
  const { optin, optout } = schema._zod;
  const absent = optin === undefined ? false : optout === 'optional' ? true : undefined;
  return { key, ...ruleOf(schema), absent, known: 1, met: 0 };
}

function unmetFit(value: Record<string, unknown>, members: readonly Member[], object: number): boolean {
  for (let i = 0; i < members.length; i += 1) {
    const { key, kinds, test, absent, met } = members[i] as Member;
    if (met === object || (absent === true && !(key in value))) continue;
    if (absent === false && !(key in value)) return false;
    const item = value[key];
    if ((kinds & kindOf(item)) === 0 && !test(item)) return false;
  }
  return true;
}

/** A place where a response does not match its schema. It never contains the value, which may be private. */
export interface SchemaMismatch {
  /**
   * Type of the resource, as the service sent it; `search_result` for a search hit. For a response without resources, the
   * method: `webhooks.ips`.
   */
  resourceType: string;
  /** Path in the resource, such as `attributes.pod_eta_at`. `*` stands for any array index. Empty for the resource itself. */
  path: string;
  /** The value that the schema expects. */
  expected: string;
  /** The kind of the received value, not the value itself. */
  received: string;
  /** The expected and the received value, in one sentence. */
  message: string;
}

/** Upper bound for the mismatches that are collected from one response. */
const MAX_MISMATCHES = 1000;

/**
 * Upper bound for the number of values that zod checks in one response. Without it, a large response with many
 * mismatches would block the process for seconds.
 */
const MAX_ASKED = 5000;

/** The start of `expected` for a relationship that is well formed, but refers to a record of a wrong type. */
const LEADS_TO = /^a (?:reference|list of references) to /;

type Issue = z.core.$ZodIssue;

/** The mismatches of one response. Each place occurs once. It is described in terms of JSON, without any value. */
export class Mismatches {
  /** It is created at the first mismatch, because nearly every response matches. */
  #found: Map<string, SchemaMismatch> | undefined;
  #asked = 0;

  all(): SchemaMismatch[] {
    return this.#found ? [...this.#found.values()] : [];
  }

  addType(type: string, expected: readonly string[]): void {
    this.#add(type, 'type', expected.join(' or '), 'another type');
  }

  /** Adds the places where the value does not match. zod finds these places. */
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
    // zod passes the issues of a list as the arguments of one call. This call fails if there are too many issues.
    return [{ code: 'custom', path: [], message: 'its schema', input: undefined }];
  }
}

/** For a union whose options differ by a constant: returns only the issues of the option whose constant matches. */
function closest(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const meant = issue.errors.filter(
    issues => !issues.some(({ code }) => code === 'invalid_value' || code === 'custom'),
  );
  const [only] = meant;
  if (meant.length !== 1 || !only) return [issue];
  return only.flatMap(inner => closest({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** The expected value of an issue, in terms of JSON. */
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
