import { ambiguous, type CommandError, notFound } from './command.ts';

/** The beginning of an id, at least six characters: a shorter beginning would fit too many records. */
const BEGINNING = /^(?=.{6,35}$)[\da-f]{1,8}(?:-[\da-f-]*)?$/i;
/** At most this many records are read: ten pages of a list. */
const MOST_READ = 1000;

/**
 * Finds the id that begins with a text, among the first records of a list; `undefined` if no id fits, or if the text
 * cannot be the beginning of an id.
 *
 * @throws {CommandError} if several ids begin with the text.
 */
export async function idBeginning(
  text: string,
  listOf: () => AsyncIterable<{ id: string }>,
): Promise<string | undefined> {
  if (!BEGINNING.test(text)) return undefined;
  const found: string[] = [];
  let read = 0;
  for await (const { id } of listOf()) {
    if (id.startsWith(text.toLowerCase())) found.push(id);
    read += 1;
    if (read === MOST_READ) break;
  }
  if (found.length > 1) {
    const message = `Several ids begin with ${text}. Use more of the id:\n${found.join('\n')}`;
    throw ambiguous(
      message,
      found.map(id => ({ id })),
    );
  }
  return found[0];
}

/** The error for the unique beginning of an id, in a command that changes a record. */
export function needsWholeId(type: string, id: string): CommandError {
  return notFound(
    `This is only the beginning of the id of a ${type.replaceAll('_', ' ')}. To change a record, use its whole id: ${id}`,
  );
}
