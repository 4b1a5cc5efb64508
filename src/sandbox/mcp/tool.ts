import { isRecord } from '../../jsonapi/document.ts';
import { TOOL_LIST } from '../../model/generated/mcp-tool-list.ts';
import type { Rest } from './rest.ts';

/** Part of a JSON schema: as much as the tools need. */
export interface Schema {
  type: 'string' | 'boolean' | 'integer' | 'array' | 'object';
  description?: string;
  enum?: readonly string[];
  format?: 'uuid';
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  items?: Schema;
  additionalProperties?: Schema;
}

interface Taken {
  inputs: Readonly<Record<string, Schema>>;
  required: readonly string[];
}

/** How to read a result. */
export interface Guidance {
  purpose: string;
  can_answer: string[];
  requires_more_data: string[];
  relevant_fields: string[];
  presentation_guidance: string;
  suggested_follow_ups: string[];
  suggested_tools: string[];
}

/** What a tool gives, before it is put into its envelope. */
export interface Outcome {
  result: Record<string, unknown>;
  /** Text in place of the result as JSON. */
  text?: string;
  /** Blocks between the text and the hints. */
  links?: Record<string, unknown>[];
  /** More of the contract. */
  contract?: Record<string, unknown>;
}

export interface Tool {
  name: keyof typeof TOOL_LIST;
  /** Where it takes other arguments than those that are described. */
  takes?: Partial<Taken>;
  guidance: Guidance;
  /** What it throws becomes a failure of the tool. */
  run(args: Record<string, unknown>, rest: Rest): Promise<Outcome>;
}

/** A tool as `tools/list` has it. */
export function describe(tool: Tool) {
  const { title, description, readOnly } = TOOL_LIST[tool.name];
  const { inputs, required } = takenBy(tool);
  return {
    name: tool.name,
    title,
    description,
    inputSchema: { type: 'object', properties: inputs, required },
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: false,
      ...(!readOnly && { idempotentHint: false }),
      openWorldHint: false,
    },
  };
}

function takenBy({ name, takes }: Tool): Taken {
  const { inputs, required } = TOOL_LIST[name];
  return { inputs: { ...inputs, ...takes?.inputs }, required: takes?.required ?? required };
}

/** The arguments that the tool has. Others are dropped. What is wrong with them is the second value. */
export function readArguments(tool: Tool, given: unknown): [Record<string, unknown>, string?] {
  const args = isRecord(given) ? given : {};
  const { inputs, required } = takenBy(tool);
  const known: Record<string, unknown> = {};
  for (const name of required) if (args[name] === undefined) return [known, `${name} is required`];
  for (const [name, value] of Object.entries(args)) {
    const schema = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (schema === undefined || value === undefined) continue;
    const wrong = problem(schema, value);
    if (wrong !== undefined) return [known, `${name} ${wrong}`];
    known[name] = value;
  }
  return [known];
}

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function problem(schema: Schema, value: unknown): string | undefined {
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string') return 'must be a string';
      if (schema.enum && !schema.enum.includes(value)) return `must be one of ${schema.enum.join(', ')}`;
      if (schema.format === 'uuid' && !UUID_PATTERN.test(value)) return 'must be a UUID';
      if (value.trim().length < (schema.minLength ?? 0)) return 'must not be blank';
      return value.length > (schema.maxLength ?? Number.POSITIVE_INFINITY) ? 'is too long' : undefined;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false';
    case 'integer':
      return Number.isInteger(value) && (value as number) >= (schema.minimum ?? Number.NEGATIVE_INFINITY)
        ? undefined
        : `must be a whole number of at least ${schema.minimum}`;
    case 'array': {
      if (!Array.isArray(value)) return 'must be an array';
      const { items } = schema;
      return items && value.map(item => problem(items, item)).find(wrong => wrong !== undefined);
    }
    case 'object': {
      if (!isRecord(value)) return 'must be an object';
      const { additionalProperties: each } = schema;
      return (
        each &&
        Object.values(value)
          .map(item => problem(each, item))
          .find(wrong => wrong !== undefined)
      );
    }
  }
}

/** The result with what stands around it. */
export function envelope(guidance: Guidance, { result, text, links = [], contract }: Outcome) {
  const { purpose, presentation_guidance, suggested_follow_ups, suggested_tools } = guidance;
  const hints = { hints: true, purpose, presentation_guidance, suggested_follow_ups, suggested_tools };
  return {
    content: [
      { type: 'text', text: text ?? JSON.stringify(result) },
      ...links,
      { type: 'text', text: JSON.stringify(hints), annotations: { audience: ['assistant'] } },
    ],
    structuredContent: { ...result, _response_contract: { ...guidance, ...contract } },
  };
}

/** A failure tells nothing of what is behind the tool. */
export function failed(tool: string) {
  return { content: [{ type: 'text', text: `The tool ${tool} has failed. Try again later.` }], isError: true };
}

export function unknownId(id: unknown) {
  return { content: [{ type: 'text', text: `Nothing was found for the id ${id}.` }], isError: true };
}
