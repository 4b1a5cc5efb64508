import { isRecord } from '../../jsonapi/document.ts';
import { TOOL_LIST } from '../../model/generated/mcp-tool-list.ts';
import {
  type DescribedTool,
  isFrom,
  type McpEdition,
  type Schema,
  type Taken,
  takenBy,
  UNCHECKED,
} from './editions.ts';
import type { Rest } from './rest.ts';

/** Hints for a model that reads a result. */
export interface Guidance {
  purpose: string;
  can_answer: string[];
  requires_more_data: string[];
  relevant_fields: string[];
  presentation_guidance: string;
  suggested_follow_ups: string[];
  suggested_tools: string[];
}

/** The result of a tool, before it is put into its envelope. */
export interface Outcome {
  result: Record<string, unknown>;
  /** Text that is sent instead of the result as JSON. */
  text?: string;
  /** Content blocks between the text and the hints. */
  links?: Record<string, unknown>[];
  /** Further members of `_response_contract`. */
  contract?: Record<string, unknown>;
}

interface Runnable {
  /** Runs the tool. An `HttpError` or a `ToolFailure` becomes the failure of the tool. */
  run(args: Record<string, unknown>, rest: Rest, edition: McpEdition): Promise<Outcome>;
}

/** A tool of every edition. */
export interface Tool extends Runnable {
  name: DescribedTool;
  guidance: Guidance;
}

/** A tool of the later editions. */
export interface LaterTool extends Runnable, Taken {
  name: string;
  title: string;
  description: string;
  editions: readonly McpEdition[];
}

/** A failure of a tool. The editions that send reasons send this message. */
export class ToolFailure extends Error {}

/** A tool as an entry of `tools/list`. */
export function describe(tool: Tool | LaterTool, edition: McpEdition) {
  const { title, description, readOnly } = 'editions' in tool ? { ...tool, readOnly: true } : TOOL_LIST[tool.name];
  const { inputs, required, isStrict } = argumentsOf(tool, edition);
  return {
    name: tool.name,
    title,
    description,
    inputSchema: { type: 'object', properties: inputs, required, ...(isStrict && { additionalProperties: false }) },
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: false,
      ...(!readOnly && { idempotentHint: false }),
      openWorldHint: tool.name === 'search_docs',
    },
  };
}

function argumentsOf(tool: Tool | LaterTool, edition: McpEdition): Taken {
  return 'editions' in tool ? tool : takenBy(tool.name, edition);
}

/** Reads the arguments of a tool. If they are invalid, the second item of the result describes the problem. */
export function readArguments(
  tool: Tool | LaterTool,
  edition: McpEdition,
  sent: unknown,
): [Record<string, unknown>, string?] {
  const { inputs, required, isStrict } = argumentsOf(tool, edition);
  const known: Record<string, unknown> = {};
  const args = Object.entries(isRecord(sent) ? sent : {}).filter(([, value]) => value !== undefined);
  for (const name of required) if (!args.some(([sentName]) => sentName === name)) return [known, `${name} is required`];
  for (const [name, value] of args) {
    const schema = Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    if (schema === undefined) {
      if (isStrict && UNCHECKED[tool.name] !== name) return [known, `${name} is not an argument`];
      continue;
    }
    const wrong = problem(schema, value);
    if (wrong !== undefined) return [known, `${name} ${wrong}`];
    known[name] = value;
  }
  return [known];
}

const UUID_PATTERN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The reason why a value does not fit a schema. */
function problem(schema: Schema, value: unknown): string | undefined {
  const { anyOf, minLength = 0, maxLength = Infinity, minimum = -Infinity, maximum = Infinity } = schema;
  if (anyOf) return anyOf.some(one => problem(one, value) === undefined) ? undefined : 'has another type';
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string') return 'must be a string';
      if (schema.format === 'uuid' && !UUID_PATTERN.test(value)) return 'must be a UUID';
      if (schema.pattern && !new RegExp(schema.pattern).test(value)) return `must match ${schema.pattern}`;
      if (value.trim().length < minLength) return 'must not be blank';
      if (value.length > maxLength) return 'is too long';
      break;
    case 'boolean':
      if (typeof value !== 'boolean') return 'must be true or false';
      break;
    case 'integer':
      if (!Number.isInteger(value)) return 'must be a whole number';
      if (Number(value) < minimum || Number(value) > maximum) return `must be from ${minimum} to ${maximum}`;
      break;
    case 'array':
      if (!Array.isArray(value)) return 'must be an array';
      if (value.length > (schema.maxItems ?? Infinity)) return `must have at most ${schema.maxItems} items`;
      return firstProblem(value.map(item => [schema.items ?? {}, item]));
    case 'object': {
      if (!isRecord(value)) return 'must be an object';
      const { properties = {}, additionalProperties = {} } = schema;
      const unknown = Object.keys(value).find(name => !Object.hasOwn(properties, name));
      if (unknown !== undefined && additionalProperties === false) return `has no ${unknown}`;
      return firstProblem(
        Object.entries(value).map(([name, item]) => [properties[name] ?? (additionalProperties || {}), item]),
      );
    }
  }
  return schema.enum && !schema.enum.includes(value) ? `must be one of ${schema.enum.join(', ')}` : undefined;
}

function firstProblem(values: [Schema, unknown][]): string | undefined {
  return values.map(([schema, value]) => problem(schema, value)).find(wrong => wrong !== undefined);
}

/** The result in its envelope. In the first editions the envelope has hints for the model. */
export function envelope(tool: Tool | LaterTool, edition: McpEdition, outcome: Outcome) {
  const { result, text, links = [], contract } = outcome;
  if ('editions' in tool || isFrom(edition, '2026-10')) {
    const plain = { ...result, ...(isRecord(result._metadata) && { _metadata: withoutGuidance(result._metadata) }) };
    return { content: [{ type: 'text', text: text ?? JSON.stringify(plain) }, ...links], structuredContent: plain };
  }
  const { purpose, presentation_guidance, suggested_follow_ups, suggested_tools } = tool.guidance;
  const hints = { hints: true, purpose, presentation_guidance, suggested_follow_ups, suggested_tools };
  return {
    content: [
      { type: 'text', text: text ?? JSON.stringify(result) },
      ...links,
      { type: 'text', text: JSON.stringify(hints), annotations: { audience: ['assistant'] } },
    ],
    structuredContent: { ...result, _response_contract: { ...tool.guidance, ...contract } },
  };
}

const GUIDING = [
  ...['presentation_guidance', 'recommendations', 'suggestions', 'suggested_follow_ups', 'suggested_tools'],
  ...['can_answer', 'needs_more_data_for', 'relevant_for_current_state'],
];

function withoutGuidance(metadata: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => !GUIDING.includes(name)));
}

/** The result of a tool that failed. It shows no details of the REST interface. */
export function failed(text: string) {
  return { content: [{ type: 'text', text }], isError: true };
}
