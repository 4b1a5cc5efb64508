import { TimeoutError } from '../errors.ts';
import { Scope } from '../internal/signal.ts';
import type { Caller } from './caller.ts';
import { failureOf } from './failure.ts';
import type { CallToolResult } from './protocol.ts';
import { failureResult, toolResult } from './result.ts';
import type { AnyTool, ToolContext } from './tool.ts';

export interface RunOptions {
  caller: Caller;
  signal: AbortSignal;
  /** For all requests of the call together, in ms. */
  deadline: number;
  onError: (error: unknown) => void;
  now: () => Date;
}

/** A request that has used up the time ends first, because it can tell what it waited for. In ms. */
const GRACE_MS = 50;

/** A tool's answer, or a failure that a model understands. Whatever happens, nothing of the service's own words gets out. */
export async function runTool(tool: AnyTool, input: unknown, options: RunOptions): Promise<CallToolResult> {
  const { deadline } = options;
  const endsAt = Date.now() + deadline;
  // A list has the time of a request for each of its pages.
  const scope = new Scope()
    .follow(options.signal)
    .limit(
      deadline + GRACE_MS,
      () => new TimeoutError(`${tool.name} took too long`, { code: 'deadline', limitMs: deadline }),
    );
  const context: ToolContext = {
    caller: options.caller,
    now: options.now(),
    limits: () => ({ signal: scope.signal, deadline: Math.max(1, endsAt - Date.now()) }),
  };
  try {
    const { result, contract, links } = await tool.run(input as never, context);
    return toolResult(result, { ...tool.contract, ...contract }, links);
  } catch (error) {
    options.signal.throwIfAborted();
    const failure = failureOf(error, tool.notFound);
    if (failure) return failureResult(failure);
    options.onError(error);
    return failureResult({ error: 'internal', message: 'The server has made a mistake. Tell the user.' });
  } finally {
    scope.dispose();
  }
}
