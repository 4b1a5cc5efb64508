import type { Caller } from './caller.ts';
import type { ContentBlock } from './protocol.ts';
import type { ResponseContract } from './response-contract.ts';
import type * as s from './schema/build.ts';

/** What a tool works with. */
export interface ToolContext {
  caller: Caller;
  /** For each request: the signal of the tool's call, and what is left of its time. */
  limits(): { signal: AbortSignal; deadline: number };
  now: Date;
}

/** What a tool answers. */
export interface ToolAnswer<Output> {
  result: Output;
  /** What there is to say about this answer only. */
  contract?: Partial<ResponseContract>;
  /** More content beside the result. */
  links?: ContentBlock[];
}

export interface Tool<Input = never, Output extends object = object> {
  name: string;
  title: string;
  /** For the model that chooses among the tools. */
  description: string;
  /** The tool changes something at the service. */
  writes?: true;
  /** Made on first use: no schema is needed to start. */
  input: () => s.Schema<Input>;
  output: () => s.ObjectSchema<Output>;
  contract: ResponseContract;
  /** What to do where the id is unknown. */
  notFound?: string;
  run(input: Input, context: ToolContext): Promise<ToolAnswer<Output>>;
}

/** Checks that the answer of `run` has the type of the `output` schema, and its argument that of the `input` schema. */
export function defineTool<I extends s.Schema<unknown>, O extends s.ObjectSchema<object>>(
  tool: Omit<Tool, 'input' | 'output' | 'run'> & {
    input: () => I;
    output: () => O;
    run(input: s.Infer<I>, context: ToolContext): Promise<ToolAnswer<s.Infer<O> & object>>;
  },
): AnyTool {
  return tool as unknown as AnyTool;
}

/** A tool whose input and output nobody knows but itself. */
export type AnyTool = Tool<never, Record<string, unknown>>;
