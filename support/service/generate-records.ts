import { type Body, description, type RecordType, type Relationship } from './description.ts';
import { BODIES_BY_HAND, TYPES_BY_HAND } from './exceptions.ts';
import { comment, declared, fieldText, isExported, literals, pascal, toolTypes } from './type-text.ts';

/** These types are in a separate file, because their names are also a value. */
const EVENT_NAMES: ReadonlySet<string> = new Set(['event_name', 'transport_event_name']);

/** The interfaces of every record, of the bodies of requests, and of the types in them. */
export function recordTypes(): string {
  const records = [...description.records.values()];
  const types = [...description.types.values()].filter(
    type =>
      isExported(type) && !TYPES_BY_HAND.has(type.name) && !EVENT_NAMES.has(type.name) && !toolTypes.has(type.name),
  );
  const text = [...records.map(recordText), ...types.map(declared), ...bodies().map(bodyText), tables(records)].join(
    '\n',
  );
  return `${importsOf(text)}\n${text}`;
}

const SOURCES: Record<string, readonly string[]> = {
  '../include.ts': ['IncludeList', 'IncludePath', 'OptionalToMany', 'OptionalToOne', 'ToMany', 'ToOne'],
  '../map.ts': ['MapFeatureCollection'],
  '../resource-record.ts': ['Model', 'ResourceRecord'],
  '../scalars.ts': ['CalendarDate', 'Change', 'DateTime', 'Open', 'ProvidedData', 'Ref'],
  './event-names.ts': ['EventName', 'NamedEvent', 'TransportEventName'],
};

export function importsOf(text: string): string {
  return Object.entries(SOURCES)
    .map(([file, names]) => [file, names.filter(name => new RegExp(`\\b${name}\\b`).test(text))] as const)
    .filter(([, names]) => names.length > 0)
    .map(([file, names]) => `import type { ${names.join(', ')} } from '${file}';\n`)
    .join('');
}

function recordText(record: RecordType): string {
  const { type, doc, include, attributes, relationships, identity } = record;
  const name = pascal(type);
  const words = type.replaceAll('_', ' ');
  const related = relationships.length > 0;
  const parameters = related ? '<I extends IncludeList = []>' : '';
  const parts = [`${name}Attributes`, ...(related ? [`${name}Relationships<I>`] : [])];
  const fields = attributes.map(field => fieldText(field, 'received')).join('\n');
  return [
    identity
      ? `${comment(doc)}export interface ${name} extends ${parts.join(', ')} { ${IDENTITY[identity](type)} }\n`
      : `${comment(doc)}export interface ${name}${parameters} extends ResourceRecord<'${type}'${related ? ', I' : ''}>, ${parts.join(', ')} {}\n`,
    include.length > 0 &&
      `/** The include paths of the ${words} endpoints, and the relationships below them. */\nexport type ${name}Include = IncludePath<'${type}', ${literals(include)}>;\n`,
    attributes.length > 0
      ? `/** The fields of ${articled(words)}. */\nexport interface ${name}Attributes {\n${fields}\n}\n`
      : `/** The fields of ${articled(words)}: none is documented. */\nexport type ${name}Attributes = object;\n`,
    related &&
      `/** The relationships of ${articled(words)}. */\nexport interface ${name}Relationships${parameters} {\n${relationships.map(relationshipText).join('\n')}\n}\n`,
  ]
    .filter(Boolean)
    .join('\n');
}

const IDENTITY = {
  optional: (type: string) => `
/** Id of the response. It cannot be read again. */
id?: string;
/** Name of the resource type. */
type?: '${type}';
`,
  open: () => `
/** Id of the record that was found, for \`shipments.get\`, \`containers.get\` or \`trackingRequests.get\`. */
id: string;
/** The value depends on the version of the service. Use \`entity_type\` instead. */
type: string;
`,
};

function relationshipText({ name, optional, types, cardinality, doc }: Relationship): string {
  return `${comment(doc)}${name}${types.length === 0 ? anyTarget(cardinality) : `: ${linked()}`};`;
  function linked(): string {
    const kind = `${optional ? 'Optional' : ''}${cardinality === 'many' ? 'ToMany' : 'ToOne'}`;
    return `${kind}<I, '${name}', ${literals(types)}>${cardinality === 'oneOrNull' ? ' | null' : ''}`;
  }
}

/** The target of a relationship whose records no source shows. */
function anyTarget(cardinality: Relationship['cardinality']): string {
  const reference = '{\n/** Name of the resource type. */\ntype: string;\n/** Id of the record. */\nid: string;\n}';
  return cardinality === 'many' ? `?: ${reference}[]` : `?: ${reference} | null`;
}

/** Each body occurs once, because several operations may have the same body. */
function bodies(): Body[] {
  const named = [...description.operations.values()].flatMap(({ body }) =>
    body?.name && !BODIES_BY_HAND.has(body.name) ? [[body.name, body] as const] : [],
  );
  return [...new Map(named).values()];
}

function bodyText({ name, doc = '', attributes, relationships }: Body): string {
  const members = [
    ...attributes.map(field => fieldText(field, 'sent')),
    ...relationships.map(
      ({ name, optional, types, doc }) =>
        `${comment(doc)}${name}${optional ? '?' : ''}: Ref<${literals(types)}>${optional ? ' | undefined' : ''};`,
    ),
  ];
  const text = members.join('\n');
  const opened = text.replace(/\bEventName\b/g, 'NamedEvent<E>');
  const parameter = opened === text ? '' : '<E extends string = EventName>';
  return `${comment(doc)}export interface ${name}${parameter} {\n${opened}\n}\n`;
}

function tables(records: readonly RecordType[]): string {
  const linkable = records.filter(({ identity }) => identity === undefined);
  const generic = ({ relationships }: RecordType) => relationships.length > 0;
  const lines = (of: readonly RecordType[], write: (record: RecordType, name: string) => string) =>
    of.map(record => `${record.type}: ${write(record, pascal(record.type))};`).join('\n');
  return `/** Every record that a relationship can lead to, by its type, with the related records that \`I\` includes. */
export interface RecordTypes<I extends IncludeList> {
${lines(linkable, (record, name) => `${name}${generic(record) ? '<I>' : ''}`)}
}

/** The types of record that a relationship can lead to. */
export type LinkableType = keyof RecordTypes<[]>;

/** Every resource type of the service as it is on the wire: its attributes and its relationships. */
export interface Resources {
${lines(records, (record, name) => `Model<${name}Attributes${generic(record) ? `, ${name}Relationships` : ''}>`)}
}

/** The relationships of each resource type. */
export interface RelationshipTypes {
${lines(records, (record, name) => (generic(record) ? `${name}Relationships` : 'object'))}
}

/** Name of a resource type. */
export type ResourceType = keyof Resources;
`;
}

function articled(words: string): string {
  return `${/^[aeio]/.test(words) ? 'an' : 'a'} ${words}`;
}
