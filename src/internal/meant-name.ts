import { nearName } from './near-name.ts';
import { spelled } from './spelled.ts';

/** The sentence ` Did you mean …?`, or an empty text. */
export function hintOf(name: string, known: readonly string[]): string {
  const meant = meantNames(name, known);
  const last = meant.pop();
  return last === undefined ? '' : ` Did you mean ${meant.length > 0 ? `${meant.join(', ')} or ` : ''}${last}?`;
}

/** The known name that is most similar to a misspelt name, or up to three known names that share words with it. */
function meantNames(name: string, known: readonly string[]): string[] {
  const near = meantName(name, known);
  if (near !== undefined && isSameWords(name, near)) return [near];
  const related = relatedNames(name, known);
  return related.length > 0 || near === undefined ? related : [near];
}

const wordsIn = (name: string) => spelled(name).split(/[-.]/);

/** False if a word has been replaced by another word: `ind_eta_at` is near to `pod_eta_at`, but has another meaning. */
function isSameWords(name: string, near: string): boolean {
  const [given, words] = [wordsIn(name), wordsIn(near)];
  return given.length !== words.length || given.every((word, index) => meantName(word, [words[index] ?? '']));
}

const MOST_NAMES = 3;
/** Words that say nothing about the meaning of a name. */
const EMPTY_WORDS = ['at', 'id'];

/**
 * The known names that share words with a name of several words. A word counts more if few known names contain it.
 */
function relatedNames(name: string, known: readonly string[]): string[] {
  const given = wordsIn(name).filter(word => !EMPTY_WORDS.includes(word));
  // The message lists all names if there are only a few.
  if (wordsIn(name).length < 2 || known.length <= 2 * MOST_NAMES) return [];
  const names = [...new Set(known)].map(each => ({ each, words: wordsIn(each) }));
  const weightOf = (word: string) => 1 / names.filter(({ words }) => words.includes(word)).length;
  return names
    .map(({ each, words }) => ({
      each,
      weight: given.filter(word => words.includes(word)).reduce((sum, word) => sum + weightOf(word), 0),
      others: words.filter(word => !given.includes(word)).length,
    }))
    .filter(({ weight }) => weight > 0)
    .sort((one, other) => other.weight - one.weight || one.others - other.others)
    .slice(0, MOST_NAMES)
    .map(({ each }) => each);
}

/**
 * Minimum number of letters in a misspelt name: a shorter name with two wrong letters would fit too many known names.
 */
const LEAST_MISSPELT = 4;

/**
 * The known name that a misspelt or shortened name stands for: `lfd` for `last-free-day`, `terminal` for
 * `pod-terminal`, `bol` for `bill-of-lading`, `nr` for `number`.
 */
export function meantName(name: string, known: readonly string[]): string | undefined {
  const given = spelled(name);
  const names = known.map(spelled);
  const meant =
    names.find(each => initialsOf(each) === given) ??
    names.find(each => isSwapped(given, each)) ??
    (given.length < LEAST_MISSPELT ? undefined : nearName(given, names)) ??
    names.find(each => each.startsWith(given) || (given.length > 2 && each.split(/[-.]/).includes(given))) ??
    (given.length < LEAST_MISSPELT ? names.find(each => isAbbreviation(given, each)) : undefined);
  return meant === undefined ? undefined : known[names.indexOf(meant)];
}

/** True if two neighbouring letters are exchanged. */
function isSwapped(given: string, word: string): boolean {
  const start = Array.from(given).findIndex((letter, index) => letter !== word[index]);
  if (start < 0 || given.length !== word.length) return false;
  return given.slice(0, start) + given.charAt(start + 1) + given.charAt(start) + given.slice(start + 2) === word;
}

/**
 * True if a name of one word starts with the first letter and contains the other letters in this order: `nr` for
 * `number`. A name of several words contains almost any three letters.
 */
function isAbbreviation(given: string, word: string): boolean {
  if (/[-.]/.test(word)) return false;
  let left = given;
  for (const letter of word) if (left.startsWith(letter)) left = left.slice(1);
  return left === '' && word.startsWith(given.charAt(0));
}

const initialsOf = (name: string) => Array.from(name.matchAll(/(?:^|[-.])(\w)/g), ([, letter]) => letter).join('');
