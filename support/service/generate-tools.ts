import { description, type Field, type Tool, withFieldsOf } from './description.ts';
import { importsOf } from './generate-records.ts';
import type { TypeNode } from './type-expression.ts';
import { camel, declared, isExported, literals, pascal, toolTypes, typeText } from './type-text.ts';

const { tools } = description;

/** The types of the arguments and results of the MCP tools. */
export function toolTypeTexts(): string {
  const types = [...description.types.values()].filter(type => toolTypes.has(type.name) && isExported(type));
  const lines = tools.map(
    ({ name, arguments: taken, result }) =>
      `/** See \`${camel(name)}\`. */\n${name}: [${pascal(taken)}, ${typeText(result, 'received')}];`,
  );
  const text = types.map(declared).join('\n');
  return `${importsOf(text)}
${text}
/** The tools of the service, each with its arguments and its result. */
export interface Tools {
${lines.join('\n')}
}

/** The name of a tool of the service. */
export type ToolName = keyof Tools;

/** The arguments of a tool. */
export type ToolArguments<Name extends ToolName> = Tools[Name][0];

/** The result of a tool. */
export type ToolResultOf<Name extends ToolName> = Tools[Name][1];
`;
}

/** The table of facts about tools that the client needs before a call. */
export function toolTable(): string {
  const lines = tools.map(tool => {
    const fields = argumentsOf(tool);
    const required = fields.find(({ optional }) => !optional);
    const names = literals(
      fields.map(({ name }) => name),
      ', ',
    );
    const entries = [`names: [${names}]`, required && `required: '${required.name}'`, `repeatable: ${tool.repeatable}`];
    return `${tool.name}: { ${entries.filter(Boolean).join(', ')} },`;
  });
  return `import type { ToolName } from './mcp-tools.ts';

/** Facts about a tool that are known before a call. */
interface ToolDeclaration {
  /** The names of the arguments. The service silently ignores other arguments. */
  readonly names: readonly string[];
  /** The required argument, a text. */
  readonly required?: string;
  /** True if a second call does no more than the first. */
  readonly repeatable: boolean;
}

/** The tools by their names. */
export const TOOLS: Readonly<Record<ToolName, ToolDeclaration>> = {
${lines.join('\n')}
};

export function isTool(name: string): name is ToolName {
  return Object.hasOwn(TOOLS, name);
}
`;
}

/** The tools as `tools/list` returns them. */
export function toolList(): string {
  const list = tools.map(tool => {
    const fields = argumentsOf(tool);
    const required = fields.filter(({ optional }) => !optional).map(({ name }) => name);
    const properties = Object.fromEntries(fields.map(field => [field.name, inputOf(field)]));
    const { name, title, doc, repeatable } = tool;
    return [name, { title, description: doc, readOnly: repeatable, inputs: properties, required }] as const;
  });
  return `/** The tools, as a client finds them in a list. */
export const TOOL_LIST = ${JSON.stringify(Object.fromEntries(list))} as const;
`;
}

function argumentsOf({ arguments: name }: Tool): Field[] {
  return withFieldsOf({ bases: [{ kind: 'name', name }], fields: [] }, () => true).fields;
}

function inputOf({ type, doc = '', limits }: Field): object {
  const [text, byDefault] = doc.split(/ ?@default /);
  const known = type.kind === 'values' && `Known: ${type.values.join(', ')}.`;
  const sentences = [text, known, byDefault && `By default: ${byDefault}.`];
  return { ...schemaOf(type), description: sentences.filter(Boolean).join(' '), ...limits };
}

/** The JSON Schema of the type of an argument. */
function schemaOf(node: TypeNode): object {
  switch (node.kind) {
    case 'array':
      return { type: 'array', items: schemaOf(node.of) };
    case 'union':
      return { type: 'string', enum: node.of.map(part => (part.kind === 'literal' ? part.text.slice(1, -1) : '')) };
    case 'name': {
      const type = description.types.get(node.name);
      if (type?.kind === 'object')
        return { type: 'object', additionalProperties: schemaOf(type.fields[0]?.type ?? node) };
      return { type: node.name };
    }
    default:
      return { type: 'string' };
  }
}
