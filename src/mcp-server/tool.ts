import type * as z from 'zod/mini';
import { TimeoutError } from '../errors.ts';
import { Scope } from '../internal/signal.ts';
import type { Caller } from './caller.ts';
import { Advised, type Failure, failureOf, reportFailure, ToolFailure } from './failure.ts';
import type { FailedCall } from './options.ts';
import { type CallToolResult, type InputRequiredResult, inputRequired } from './protocol.ts';

/** The client, the limits and the clock of one call of a tool. */
export interface ToolContext {
  caller: Caller;
  /** The limits of the next request: the signal of the tool's call, and the remaining time of the call. */
  limits(): { signal: AbortSignal; deadline: number };
  /** Aborts at the end of the call's time, or if the call is cancelled. */
  signal: AbortSignal;
  now: Date;
  /** The present time. `now` is the beginning of the call. */
  clock(): Date;
  /** The time zone in which days begin, unless the call names another time zone. */
  timeZone: string;
  /** True if the server has no tool that writes. In that case, no text may name a tool that writes. */
  readOnly: boolean;
  canAsk: boolean;
  /**
   * The response of the user to a question. If there is no response yet, the call ends with the question. The host then
   * calls again with the response. `undefined` if the host cannot ask its user.
   *
   * @throws {ToolFailure} if the user does not agree.
   */
  ask(message: string, fields: Fields): Record<string, unknown> | undefined;
}

/** The fields of a form that a host shows to its user. The user agrees by sending the form. */
export type Fields = Record<
  string,
  { type: 'string'; title: string } | { type: 'string'; title: string; oneOf: { const: string; title: string }[] }
>;

/** The result of a tool. */
export interface ToolOutput<Output> {
  result: Output;
  /** The result as text for the model. The text is shorter than JSON. @default the result as JSON */
  text?: string;
}

interface Tool<Input = never, Output extends object = object> {
  name: string;
  title: string;
  /** The text by which a model chooses the tool. */
  description: string;
  /** The tool changes something at the service. */
  writes?: true;
  /** Makes the schema at the first use, because the start needs no schema. */
  input: () => z.ZodMiniObject;
  output: () => z.ZodMiniType<Output>;
  /** Advice for an id that is unknown. */
  notFound?: string;
  /** Advice if the request budget is used up. */
  limited?: string;
  run(input: Input, context: ToolContext): Promise<ToolOutput<Output>>;
}

/** Makes the compiler check that `run` takes the type of the schema `input`, and returns the type of the schema `output`. */
export function defineTool<I extends z.ZodMiniObject, O extends z.ZodMiniType<object>>(
  tool: Omit<Tool, 'input' | 'output' | 'run'> & {
    input: () => I;
    output: () => O;
    run(input: z.infer<I>, context: ToolContext): Promise<ToolOutput<z.infer<O>>>;
  },
): AnyTool {
  return tool as unknown as AnyTool;
}

/** A tool with any types of input and output. */
export type AnyTool = Tool<never, Record<string, unknown>>;

export interface Call {
  caller: Caller;
  signal: AbortSignal;
  /** The time limit of the whole call, in ms. */
  deadline: number;
  onError: (error: unknown) => void;
  onFailure: (error: unknown, failed: FailedCall) => void;
  /** The time zone in which days begin. */
  timeZone: string;
  now: () => Date;
  readOnly: boolean;
  /** The user's response to the question of this call; `undefined` if the user has not responded yet. */
  response: { action?: unknown; content?: unknown } | undefined;
  /** True if the host can ask its user. */
  canAsk: boolean;
  /** Reports the elapsed time and the time limit, in s. `undefined` if the host did not request progress. */
  report: ((elapsed: number, total: number) => void) | undefined;
}

/** The name under which a host returns the user's response. */
export const QUESTION = 'confirm';

/**
 * Extra time in ms. Because of this extra time, a request reaches its deadline before the call reaches its deadline.
 * The error of the request then has the reason.
 */
const GRACE_MS = 50;

const REPORT_EVERY_MS = 3_000;

/** The response of a host that failed to ask its user. */
export const NOT_ASKED: Call['response'] = { action: 'failed' };

/** Thrown to end the run of a tool, because the host must first ask its user. */
class Question extends Error {
  readonly fields: Fields;

  constructor(message: string, fields: Fields) {
    super(message);
    this.fields = fields;
  }
}

/** The arguments of a call, or the mistakes in them. */
export type Checked = { value: unknown } | { issues: readonly { message: string }[] };

/** Runs a tool, and returns its result or a failure that a model understands. A failure never contains texts of the service. */
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
  // One deadline for all requests, because a list has a request for each page.
  const scope = new Scope()
    .follow(call.signal)
    .limit(
      deadline + GRACE_MS,
      () => new TimeoutError(`${tool.name} took too long`, { code: 'deadline', limitMs: deadline }),
    );
  let waitedMs = 0;
  // The call may wait for many slots, one after the other, so a request may be under way at the end of the deadline.
  const waited = () => {
    const { isQueue, ms } = waitOf(caller);
    return isQueue || waitedMs >= deadline / 2 ? ms : undefined;
  };
  const reports =
    report && setInterval(() => report(Math.round(elapsed() / 1_000), Math.ceil(deadline / 1_000)), REPORT_EVERY_MS);
  const context: ToolContext = {
    caller,
    signal: scope.signal,
    now: call.now(),
    clock: call.now,
    timeZone: call.timeZone,
    readOnly: call.readOnly,
    canAsk: call.canAsk,
    limits() {
      waitedMs += waitOf(caller).ms;
      return { signal: scope.signal, deadline: Math.max(1, deadline - elapsed()) };
    },
    ask: (message, fields) => responseTo(call, message, fields),
  };
  try {
    const { result, text } = await tool.run(checked.value as never, context);
    if (tool.writes && result.tracking_request_created !== false) caller.forgetLists();
    // Values that are `null` are left out, except `next`, which shows that a list has no more rows.
    const json = JSON.stringify(result, (name, value) => (value === null && name !== 'next' ? undefined : value));
    return { content: [{ type: 'text', text: text ?? json }], structuredContent: JSON.parse(json) };
  } catch (error) {
    call.signal.throwIfAborted();
    if (error instanceof Question) return questionOf(error);
    // A request that failed without a response may have changed something.
    if (tool.writes && !(error instanceof ToolFailure)) caller.forgetLists();
    const reason = error instanceof Advised ? error.cause : error;
    const failure = failureOf(reason, tool, waited());
    if (failure) {
      reportFailure(call, tool.name, reason, failure);
      if (error instanceof Advised && failure.error === 'upstream') failure.message += ` ${error.message}`;
      return failureResult(failure);
    }
    call.onError(reason);
    return failureResult({ error: 'internal', message: 'The server has made a mistake. Calling again does not help.' });
  } finally {
    clearInterval(reports);
    scope.dispose();
  }
}

/** The time until the next request can be sent, and whether requests wait for the rate limit. */
function waitOf({ client }: Caller): { isQueue: boolean; ms: number } {
  const { queued = 0, nextFreeAt = 0 } = client.rateLimit.snapshot()?.default ?? {};
  return { isQueue: queued > 0, ms: Math.max(0, nextFreeAt - Date.now()) };
}

function responseTo({ response, canAsk }: Call, message: string, fields: Fields): Record<string, unknown> | undefined {
  if (!canAsk) return undefined;
  if (response === undefined) throw new Question(message, fields);
  if (response === NOT_ASKED)
    throw new ToolFailure(
      'not_asked',
      'The AI client could not ask its user, so nothing was requested. Ask the user, and call again.',
    );
  const content = Object(response.content) as Record<string, unknown>;
  if (response.action === 'accept') return content;
  throw new ToolFailure('declined', 'The user did not agree, and nothing was changed. Do not call again for the same.');
}

function questionOf({ message, fields }: Question): InputRequiredResult {
  const requestedSchema = { type: 'object' as const, properties: fields, required: Object.keys(fields) };
  return inputRequired({ inputRequests: { [QUESTION]: inputRequired.elicit({ message, requestedSchema }) } });
}

function failureResult(failure: Failure): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(failure) }], isError: true };
}
