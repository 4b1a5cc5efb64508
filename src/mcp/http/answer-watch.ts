import { isRecord, parseJson } from '../../jsonapi/document.ts';
import { isJSONRPCResponse } from '../peer.ts';

/**
 * Looks through a stream of events for the answer to a request: one that the official client takes, since it passes over the
 * others without a word.
 */
export class AnswerWatch {
  readonly #id: string | number;
  readonly #decoder = new TextDecoder();
  /** The line that has not ended yet, in pieces: to join them with each would take the square of its length. */
  #line: string[] = [];
  /** Whether the text so far ends with the first half of a line end, or with all of it. */
  #endsWithReturn = false;
  /** The data of the event that has not ended yet. */
  #data: string[] = [];
  /** The kind of that event; a message where it is empty. */
  #kind = '';
  #isAnswered = false;

  constructor(id: string | number) {
    this.#id = id;
  }

  /** Whether the answer has come. */
  get isAnswered(): boolean {
    return this.#isAnswered;
  }

  read(bytes: Uint8Array): void {
    if (this.#isAnswered) return;
    const decoded = this.#decoder.decode(bytes, { stream: true });
    if (decoded === '') return;
    const text = this.#endsWithReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
    this.#endsWithReturn = decoded.endsWith('\r');
    this.#line.push(text);
    if (!/[\r\n]/.test(text)) return;
    const lines = this.#line.join('').split(/\r\n|\n|\r/);
    this.#line = [lines.pop() ?? ''];
    for (const line of lines) this.#readLine(line);
  }

  #readLine(line: string): void {
    if (line.startsWith('data:')) this.#data.push(line.slice('data:'.length));
    else if (line.startsWith('event:')) this.#kind = line.slice('event:'.length).replace(/^ /, '');
    else if (line === '') this.#isAnswered ||= this.#endsEvent();
  }

  #endsEvent(): boolean {
    const data = this.#data.join('\n');
    const isMessage = this.#kind === '' || this.#kind === 'message';
    this.#data = [];
    this.#kind = '';
    if (data === '' || !isMessage) return false;
    try {
      const message = parseJson(data);
      return isRecord(message) && message.id === this.#id && isJSONRPCResponse(message);
    } catch {
      return false;
    }
  }
}
