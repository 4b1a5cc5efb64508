import type { McpCallOptions } from './options.ts';

/** One call of the connection's user, and what its requests share. */
export interface McpCall {
  /** Its signal is that of the caller, or one that ends the call for another reason too. */
  readonly options: McpCallOptions;
  /** What hooks are told, such as `mcp.get_container`. */
  readonly operation: string | undefined;
  /** Whether a second request does no more than the first. */
  readonly repeatable: boolean;
  /** Ends the call where the protocol gives no answer: the stream that it would come on has ended. */
  readonly fail: (reason: unknown) => void;
  /** How the call is known to hooks, once it was answered. */
  about?: { callId: string; operation: string; route: string; method: string; path: string } | undefined;
}
