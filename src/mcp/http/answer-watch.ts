import { isRecord, parseJson } from '../../jsonapi/document.ts';

/** Looks through a stream of events for the answer to a request. */
export class AnswerWatch {
  readonly #id: string | number;
  readonly #decoder = new TextDecoder();
  /** The line that has not ended yet, in pieces: to join them with each would take the square of its length. */
  #line: string[] = [];
  /** The data of the event that has not ended yet. */
  #data: string[] = [];
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
    const text = this.#decoder.decode(bytes, { stream: true });
    this.#line.push(text);
    if (!/[\r\n]/.test(text)) return;
    const lines = this.#line.join('').split(/\r\n|\n|\r(?=.)/);
    this.#line = [lines.pop() ?? ''];
    for (const line of lines) {
      const [, data] = /^data:(.*)$/.exec(line) ?? [];
      if (data !== undefined) this.#data.push(data);
      if (line === '') this.#isAnswered ||= this.#endsEvent();
    }
  }

  #endsEvent(): boolean {
    const data = this.#data.join('\n');
    this.#data = [];
    if (data === '') return false;
    try {
      const message = parseJson(data);
      return isRecord(message) && message.id === this.#id && ('result' in message || 'error' in message);
    } catch {
      return false;
    }
  }
}
