import { inWordsOfPages, withoutStopWords } from './query.ts';

/** The options of MiniSearch: how a query becomes words, and which pages come first. */
export const searchOptions = {
  boostDocument,
  fuzzy,
  prefix,
  tokenize,
  // A misspelt word counts little: "rotation" finds "location" only if nothing else has "rotation".
  weights: { fuzzy: 0.25, prefix: 0.375 },
};

/**
 * The words of the last query, in lower case. A document can also match because it contains other words, which only
 * begin with one of these words.
 */
let words: readonly string[] = [];
/** The codes of the last query, such as `rate_limited`, each as one word. */
let codes: readonly string[] = [];
/** The camelCase words of the last query, converted to lower case: names of functions or types. */
let names: readonly string[] = [];

/** The words of a query. In the index, the page of errors also has each code as one word. */
function tokenize(query: string): string[] {
  codes = (query.match(/\w+_\w+/g) ?? []).map(code => code.replaceAll('_', '').toLowerCase());
  names = (query.match(/\w*[a-z][A-Z]\w*/g) ?? []).map(name => name.toLowerCase());
  const parts = inWordsOfPages(query)
    .split(/[\s\p{P}]+/u)
    .filter(Boolean);
  words = withoutStopWords([...parts, ...codes].map(word => word.toLowerCase()));
  return [...words];
}

/**
 * The page of errors has nearly every word, so it comes first only for a class, a code or a status of an error. For the
 * name of a function or a type, the page of this function or type comes first. Among the other pages, the pages whose
 * name contains the term come first.
 */
function boostDocument(id: string, term: string): number {
  const isError = codes.includes(term) || (words.includes(term) && /.error$|^[45]\d\d$/.test(term));
  if (id.includes('/reference/errors')) return isError ? 100 : 0.2;
  if (!isError && names.includes(term) && id.includes('/api/') && id.toLowerCase().includes(`/${term}.`)) return 50;
  return weightOf(id) * (isNamed(id, term) ? 1.5 : 1);
}

/** Guides for one environment, such as one framework. */
const SPECIAL = /\/guides\/(mcp|queues|serverless|sql|browsers|react|kubernetes-and-systemd)\./;

/** A reader usually searches for a task. So guides for all readers come first, names of the reference come late, and the changelog comes last. */
function weightOf(id: string): number {
  if (id.includes('/changelog')) return 0.05;
  if (id.includes('/api/')) return 0.2;
  // Guides for programs that used another client, or an older version.
  if (/\/guides\/(from-|upgrading)/.test(id)) return 1;
  if (id.includes('/recipes/') || SPECIAL.test(id)) return 2;
  return id.includes('/guides/') ? 3 : 1;
}

/** True if the name of the page has the term: "limit" is in the name of the page `rate-limits`. */
function isNamed(id: string, term: string): boolean {
  const name = /([^/]+)\.html/.exec(id)?.[1] ?? '';
  return prefix(term) && name.split('-').some(word => word.startsWith(term));
}

/** A word of one or two letters finds only itself: "up" does not find "upload". */
function prefix(term: string): boolean {
  return term.length > 2;
}

/** A short word must match exactly: "last" does not find "list". Two swapped letters of a long word are two differences. */
function fuzzy(term: string): number | false {
  return term.length > 4 && (term.length > 6 ? 2 : 1);
}
