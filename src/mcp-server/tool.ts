import type * as z from 'zod/mini';
import { TimeoutError } from '../errors.ts';
import { Scope } from '../internal/signal.ts';
import type { Caller } from './caller.ts';
import { type Failure, failureOf, ToolFailure } from './failure.ts';
import { type CallToolResult, type InputRequiredResult, inputRequired } from './protocol.ts';

/** The client, the limits and the clock of one call of a tool. */
export interface ToolContext {
  caller: Caller;
  /** For each request: the signal of the tool's call, and what is left of its time. */
  limits(): { signal: AbortSignal; deadline: number };
  now: Date;
  /** There is no tool that writes, so no text names one. */
  readOnly: boolean;
  canAsk: boolean;
  /**
   * The response of the user to a question. Before that, the call ends with the question, and the host calls again with the
   * response. `undefined` where the host cannot ask.
   *
   * @throws {ToolFailure} if the user does not agree.
   */
  ask(message: string, fields: Fields): Record<string, unknown> | undefined;
}

/** The fields of a form that a host shows to its user. */
export type Fields = Record<
  string,
  | { type: 'boolean'; title: string; default: boolean }
  | { type: 'string'; title: string }
  | { type: 'string'; title: string; oneOf: { const: string; title: string }[] }
>;

/** The result of a tool. */
export interface ToolOutput<Output> {
  result: Output;
  /** The same for reading, in fewer words. @default the result as JSON */
  text?: string;
}

interface Tool<Input = never, Output extends object = object> {
  name: string;
  title: string;
  /** For the model that chooses among the tools. */
  description: string;
  /** The tool changes something at the service. */
  writes?: true;
  /** Made on first use: no schema is needed to start. */
  input: () => z.ZodMiniObject;
  output: () => z.ZodMiniType<Output>;
  /** Advice for an id that is unknown. */
  notFound?: string;
  run(input: Input, context: ToolContext): Promise<ToolOutput<Output>>;
}

/** Checks that the output of `run` has the type of the `output` schema, and its argument that of the `input` schema. */
export function defineTool<I extends z.ZodMiniObject, O extends z.ZodMiniType<object>>(
  tool: Omit<Tool, 'input' | 'output' | 'run'> & {
    input: () => I;
    output: () => O;
    run(input: z.infer<I>, context: ToolContext): Promise<ToolOutput<z.infer<O>>>;
  },
): AnyTool {
  return tool as unknown as AnyTool;
}

/** A tool whose input and output nobody knows but itself. */
export type AnyTool = Tool<never, Record<string, unknown>>;

export interface Call {
  caller: Caller;
  signal: AbortSignal;
  /** For all requests of the call together, in ms. */
  deadline: number;
  onError: (error: unknown) => void;
  now: () => Date;
  readOnly: boolean;
  /** The user's response to the question of this call; `undefined` before there was one. */
  response: { action?: unknown; content?: unknown } | undefined;
  /** True if the host can ask its user. */
  canAsk: boolean;
  /** Says how much of the time is up, both in s. `undefined` where the host does not want to know. */
  report: ((elapsed: number, total: number) => void) | undefined;
}

/** Under this name a host returns the user's response. */
export const QUESTION = 'confirm';

/** A request that has used up the time ends first, because it knows what it waited for. In ms. */
const GRACE_MS = 50;

const REPORT_EVERY_MS = 3_000;

/** Ends the run of a tool: the host is to ask its user first. */
class Question extends Error {
  readonly fields: Fields;

  constructor(message: string, fields: Fields) {
    super(message);
    this.fields = fields;
  }
}

/** The arguments of a call, or the mistakes in them. */
export type Checked = { value: unknown } | { issues: readonly { message: string }[] };

/** A tool's result, or a failure that a model understands. Whatever happens, nothing of the service's own words gets out. */
export async function runTool(
  tool: AnyTool,
  checked: Checked,
  call: Call,
): Promise<CallToolResult | InputRequiredResult> {
  if ('issues' in checked) {
    const message = checked.issues.map(({ message }) => message).join(' ');
    return failureResult({ error: 'invalid_request', message });
  }
  const { caller, deadline, report } = call;
  const startedAt = Date.now();
  const elapsed = () => Date.now() - startedAt;
  // A list has the time of a request for each of its pages.
  const scope = new Scope()
    .follow(call.signal)
    .limit(
      deadline + GRACE_MS,
      () => new TimeoutError(`${tool.name} took too long`, { code: 'deadline', limitMs: deadline, ...waitOf(caller) }),
    );
  const reports =
    report && setInterval(() => report(Math.round(elapsed() / 1_000), Math.ceil(deadline / 1_000)), REPORT_EVERY_MS);
  const context: ToolContext = {
    caller,
    now: call.now(),
    readOnly: call.readOnly,
    canAsk: call.canAsk,
    limits: () => ({ signal: scope.signal, deadline: Math.max(1, deadline - elapsed()) }),
    ask: (message, fields) => responseTo(call, message, fields),
  };
  try {
    const { result, text } = await tool.run(checked.value as never, context);
    // What is not known is left out. Only the end of a list is said.
    const json = JSON.stringify(result, (name, value) => (value === null && name !== 'next' ? undefined : value));
    return { content: [{ type: 'text', text: text ?? json }], structuredContent: JSON.parse(json) };
  } catch (error) {
    call.signal.throwIfAborted();
    if (error instanceof Question) return questionOf(error);
    const failure = failureOf(error, tool.notFound);
    if (failure) return failureResult(failure);
    call.onError(error);
    return failureResult({ error: 'internal', message: 'The server has made a mistake. Calling again does not help.' });
  } finally {
    clearInterval(reports);
    scope.dispose();
  }
}

/** The time until the next request can be sent, if requests wait for the rate limit. */
function waitOf({ client }: Caller): { estimatedWaitMs?: number } {
  const { queued = 0, nextFreeAt = 0 } = client.rateLimit.snapshot()?.default ?? {};
  return queued > 0 ? { estimatedWaitMs: Math.max(0, nextFreeAt - Date.now()) } : {};
}

function responseTo({ response, canAsk }: Call, message: string, fields: Fields): Record<string, unknown> | undefined {
  if (!canAsk) return undefined;
  if (response === undefined) throw new Question(message, fields);
  const content = Object(response.content) as Record<string, unknown>;
  if (response.action === 'accept' && content[QUESTION] === true) return content;
  throw new ToolFailure('declined', 'The user did not agree, and nothing was changed. Do not call again for the same.');
}

function questionOf({ message, fields }: Question): InputRequiredResult {
  const properties = { ...fields, [QUESTION]: { type: 'boolean' as const, title: 'Yes, do it', default: false } };
  const requestedSchema = { type: 'object' as const, properties, required: Object.keys(properties) };
  return inputRequired({ inputRequests: { [QUESTION]: inputRequired.elicit({ message, requestedSchema }) } });
}

function failureResult(failure: Failure): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(failure) }], isError: true };
}
