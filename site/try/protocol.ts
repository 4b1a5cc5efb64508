/** The messages between the page and the worker of a run. */

/** Names that the snippets of a page use and do not declare, and the module that exports them. */
export interface Given {
  module: string;
  names: string[];
}

export interface Task {
  code: string;
  given: Given[];
  /** True for a snippet that never ends by itself. */
  isEndless: boolean;
}

export type Report =
  | { kind: 'output'; text: string; isError: boolean }
  | { kind: 'request'; method: string; path: string; status: number | undefined; ms: number }
  /** A variable of the snippet, with its value at the end. */
  | { kind: 'value'; name: string; text: string }
  /** The names of the page are ready, and the snippet's own code begins. */
  | { kind: 'begin' }
  /** An error. `line` is a line of the snippet. */
  | { kind: 'error'; text: string; line: number | undefined }
  | { kind: 'end' };
