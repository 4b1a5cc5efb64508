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

/** A tool's answer, or a failure that a model understands. Whatever happens, nothing of the service's own words gets out. */
export async function runTool(tool: AnyTool, input: unknown, options: RunOptions): Promise<CallToolResult> {
  const endsAt = Date.now() + options.deadline;
  const context: ToolContext = {
    caller: options.caller,
    now: options.now(),
    limits: () => ({ signal: options.signal, deadline: Math.max(1, endsAt - Date.now()) }),
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
  }
}
