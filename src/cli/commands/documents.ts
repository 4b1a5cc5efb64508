import { existsSync, statSync } from 'node:fs';
import type { TrackingClient } from '../../client.ts';
import { hintOf } from '../../internal/meant-name.ts';
import type { Document, DynamicInclude } from '../../model/index.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import { type Command, choiceOption, failed, textOption, wrongUsage } from '../command.ts';
import { checkWritable } from '../files.ts';
import { Cell, codeCell } from '../output/cell.ts';
import type { Column } from '../output/columns.ts';
import { FIELDS_OPTION, printChanged, say } from '../output/print.ts';
import { timeHere } from '../output/times.ts';
import { getCommand, idOf, listCommand, type RecordGroup } from '../records.ts';

const DETAILS: readonly Column<Document<DynamicInclude>>[] = [
  ['ID', ({ id }) => id, 'whole'],
  ['NAME', ({ name }) => name],
  ['TYPE', ({ document_type }) => codeCell(document_type), 'whole'],
  ['FILE', ({ file_name }) => file_name],
  ['MEDIA TYPE', ({ file_content_type }) => file_content_type],
  ['BYTES', ({ file_size_bytes }) => file_size_bytes],
  ['SOURCE', ({ source }) => source],
  ['CREATED', ({ created_at }) => timeHere(created_at), 'whole'],
];

const documents: RecordGroup<Document<DynamicInclude>> = {
  type: 'document',
  operation: 'documents.list',
  list: (client, options) => listOf(client, options),
  get: (client, id, options) => client.documents.get(id, options),
  filterExample: 'document_types=commercial_invoice',
  includeExample: 'shipments',
  about:
    'The documents of a shipment or of a container: --filter reference=NUMBER, with the number of the bill of lading, of the booking or of the container. On a terminal, the table has the beginning of each id. The commands "documents get" and "documents download" accept this beginning.',
  details: DETAILS,
  columns: [
    ['ID', ({ id }) => new Cell(id.slice(0, 8), id), 'whole'],
    ['NAME', ({ name }) => name, 'key'],
    ['TYPE', ({ document_type }) => codeCell(document_type), 'whole'],
    ['SOURCE', ({ source }) => source],
    ['CREATED', ({ created_at }) => timeHere(created_at), 'whole'],
  ],
};

/** @throws {CommandError} for a type of documents that the account does not have: the service would give an empty list. */
async function* listOf(
  client: TrackingClient,
  options: Parameters<typeof documents.list>[1],
): AsyncGenerator<Document<DynamicInclude>> {
  const { document_types }: { document_types?: string | string[] } = options.filter;
  if (document_types !== undefined) {
    const known = (await client.documents.types({ signal: options.signal })).document_types.map(({ code }) => code);
    const unknown = [document_types].flat().find(type => !known.includes(type));
    if (unknown !== undefined)
      throw wrongUsage(
        `There is no document type ${unknown}.${hintOf(unknown, known)} There are: ${known.join(', ')}.`,
      );
  }
  yield* client.documents.list(options);
}

export const list: Command = listCommand(documents);
export const get: Command = getCommand(documents);

const ON_DUPLICATE = ['return', 'error'] as const;

export const upload: Command = {
  options: {
    name: { type: 'string', value: 'TEXT', help: 'the name of the document; the name of the file unless given' },
    'on-duplicate': {
      type: 'string',
      value: 'return|error',
      help: 'for a document whose content is already in the account: the value return prints that document, and the value error ends the command; error unless given',
      values: ON_DUPLICATE,
    },
    'content-type': { type: 'string', value: 'TYPE', help: 'its media type, from the ending of its name unless given' },
    ...FIELDS_OPTION,
    ...API_OPTIONS,
  },
  arguments: ['FILE'],
  run: (values, [file = '']) =>
    withClient(values, async (client, signal) => {
      const found = statSync(file, { throwIfNoEntry: false });
      if (found?.isDirectory()) throw wrongUsage(`${file} is a directory.`);
      if (!found?.isFile()) throw wrongUsage(`There is no file ${file}.`);
      const isReturned = choiceOption(values, 'on-duplicate', ON_DUPLICATE) === 'return';
      const tell = progress();
      const document = await client.documents.upload({
        file,
        name: textOption(values, 'name'),
        contentType: textOption(values, 'content-type'),
        onDuplicate: isReturned ? 'return' : 'throw',
        signal,
        onProgress: ({ stage, loaded, total }) => tell(stage, loaded, total),
      });
      await printChanged(values, document, DETAILS);
    }),
};

export const download: Command = {
  options: {
    to: {
      type: 'string',
      value: 'FILE',
      help: 'the file to write; without it the bytes go to stdout, which must not be a terminal',
    },
    force: { type: 'boolean', help: 'replaces a file that exists' },
    ...API_OPTIONS,
  },
  arguments: ['ID'],
  run: (values, [name = '']) =>
    withClient(values, async (client, signal) => {
      const id = await idOf(documents, client, name, signal, true);
      const to = textOption(values, 'to');
      if (to === undefined) {
        if (process.stdout.isTTY)
          throw wrongUsage('A terminal cannot show the bytes of a document. Name a file: --to.');
        for await (const chunk of await client.documents.download(id, { signal })) await written(chunk);
        return;
      }
      if (existsSync(to) && values.force !== true) throw failed(`${to} exists. To replace it, use --force.`);
      await checkWritable(to);
      await client.documents.download(id, { to, signal });
      say(`Written to ${to}.`);
    }),
};

function written(chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(chunk, error => (error ? reject(error) : resolve())));
}

/** The size, in bytes, of a file whose upload takes so long that its progress matters. */
const LARGE = 5_000_000;

/** Prints one line for each quarter of a large file, and only on a terminal. */
function progress(): (stage: string, loaded: number, total: number) => void {
  let last = '';
  return (stage, loaded, total) => {
    const line = `${stage === 'hash' ? 'Reading' : 'Sending'}: ${Math.floor((4 * loaded) / total) * 25} %`;
    if (line === last || total < LARGE || !process.stderr.isTTY) return;
    last = line;
    say(line);
  };
}
