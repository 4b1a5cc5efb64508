/** What the page and the worker of a run say to each other. */

/** Names that a page leaves to its reader, and the module that has them. */
export interface Given {
  module: string;
  names: string[];
}

export interface Task {
  code: string;
  given: Given[];
  /** It follows something for ever. */
  isEndless: boolean;
}

export type Report =
  | { kind: 'output'; text: string; isError: boolean }
  | { kind: 'request'; method: string; path: string; status: number | undefined; ms: number }
  /** The names of the snippet, and what they hold at its end. */
  | { kind: 'value'; name: string; text: string }
  /** What its page gives it is there: from now on all is its own doing. */
  | { kind: 'begin' }
  /** `line` is a line of the snippet. */
  | { kind: 'error'; text: string; line: number | undefined }
  | { kind: 'end' };
