import { failed } from './command.ts';

/** The beginning of an id: shorter ones fit too many records. */
const BEGINNING = /^(?=.{6,35}$)[\da-f]{1,8}(?:-[\da-f-]*)?$/i;
/** Ten pages of a list. */
const MOST_READ = 1000;

/**
 * The id that begins with a text, among the first records of a list; none if the text cannot be a beginning, or no id fits.
 *
 * @throws {CommandError} if several ids do.
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
  if (found.length > 1) throw failed(`Several ids begin with ${text}. Use more of the id:\n${found.join('\n')}`);
  return found[0];
}
