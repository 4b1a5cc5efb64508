import { existsSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { TrackingClient } from '../../client.ts';
import { ExtractionPendingError } from '../../documents/document-errors.ts';
import { NotFoundError } from '../../errors.ts';
import { hintOf } from '../../internal/meant-name.ts';
import type { Document, DocumentRepresentation, DynamicInclude } from '../../model/index.ts';
import { printable } from '../../printable.ts';
import { API_OPTIONS, withClient } from '../api.ts';
import {
  type Command,
  CommandError,
  choiceOption,
  durationOption,
  EXIT,
  failed,
  notFound,
  textOption,
  wrongUsage,
} from '../command.ts';
import { checkWritable } from '../files.ts';
import { Cell, codeCell } from '../output/cell.ts';
import type { Column } from '../output/columns.ts';
import { FIELDS_OPTION, printChanged, printRecord, say, withKnownFields } from '../output/print.ts';
import { pairs, withValue } from '../output/table.ts';
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

/** The data that the service has read from the file, one field on each line. */
function contentsText(document: Document<DynamicInclude>): string | undefined {
  const { payload } = Object(document.last_document_representation) as Partial<DocumentRepresentation>;
  return payload && `Read from the file:\n${pairs(withValue(Object.entries(payload)))}`;
}

const documents: RecordGroup<Document<DynamicInclude>> = {
  type: 'document',
  operation: 'documents.list',
  list: (client, options) => listOf(client, options),
  get: (client, id, options) => client.documents.get(id, options).catch(error => explainShort(id, error)),
  filterExample: 'document_types=commercial_invoice',
  includeExample: 'shipments',
  after: {
    relationship: 'last_document_representation',
    needs: ['last_document_representation'],
    text: contentsText,
  },
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
const getting = getCommand(documents);
export const get: Command = {
  ...getting,
  about: `${getting.about} On a terminal, the data that the service has read from the file comes last; in JSON, it needs --include last_document_representation.`,
};

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
    wait: {
      type: 'string',
      value: 'DURATION',
      help: 'waits at most this long until the service has read the file, and prints its data; a number alone is in seconds',
    },
    ...FIELDS_OPTION,
    ...API_OPTIONS,
  },
  arguments: ['FILE'],
  run: (values, [file = '']) =>
    withClient(values, async (client, signal) => {
      const found = statSync(file, { throwIfNoEntry: false });
      if (found?.isDirectory()) throw wrongUsage(`${file} is a directory.`);
      if (!found?.isFile()) throw wrongUsage(`There is no file ${file}.`);
      const waitTimeout = values.wait === undefined ? undefined : durationOption(values, 'wait');
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
      if (waitTimeout === undefined) return printChanged(values, document, DETAILS);
      const read = await contentsOf(client, document, { waitTimeout, signal });
      await printRecord(withKnownFields(values, read, DETAILS), read, DETAILS, () => contentsText(read));
    }),
};

/** @throws {CommandError} with the exit code for an open outcome if the wait has ended without one. */
async function contentsOf(
  client: TrackingClient,
  { id, name }: Document,
  options: { waitTimeout: number; signal: AbortSignal },
): Promise<Document<DynamicInclude>> {
  say(printable(`${name} (${id}) is uploaded. Waiting for its data …`));
  try {
    return await client.documents.waitFor(id, options);
  } catch (error) {
    if (!(error instanceof ExtractionPendingError)) throw error;
    const message = `${printable(error.message)}.\nTo look again: container-tracking documents get ${id}`;
    throw new CommandError(message, EXIT.pending, { code: error.code, retryable: true });
  }
}

/** Throws the error. If an id with less than six characters was not found, the error says how many characters are needed. */
function explainShort(id: string, error: unknown): never {
  if (!(error instanceof NotFoundError) || !/^[\da-f-]{1,5}$/i.test(id)) throw error;
  throw notFound(`${id} is too short for an id. The first six characters of an id, or more, are enough.`);
}

export const download: Command = {
  options: {
    to: {
      type: 'string',
      value: 'FILE',
      help: 'the file to write; a folder gets a file with the name of the document; - stands for stdout. Unless given: stdout, and on a terminal the present folder',
    },
    force: { type: 'boolean', help: 'replaces a file that exists' },
    ...API_OPTIONS,
  },
  arguments: ['ID'],
  run: (values, [name = '']) =>
    withClient(values, async (client, signal) => {
      const id = await idOf(documents, client, name, signal, true);
      const given = textOption(values, 'to') ?? (process.stdout.isTTY ? '.' : '-');
      if (given === '-') {
        if (process.stdout.isTTY) throw wrongUsage('A terminal cannot show the bytes of a document.');
        const bytes = await client.documents.download(id, { signal }).catch(error => explainShort(id, error));
        for await (const chunk of bytes) await written(chunk);
        return;
      }
      const isFolder = statSync(given, { throwIfNoEntry: false })?.isDirectory();
      const to = isFolder ? join(given, await nameOf(client, id, signal)) : given;
      if (existsSync(to) && values.force !== true) throw failed(`${to} exists. To replace it, use --force.`);
      await checkWritable(to);
      await client.documents.download(id, { to, signal }).catch(error => explainShort(id, error));
      say(`Written to ${to}.`);
    }),
};

/** The name of the file. The service sends the name that the uploader has chosen, which could contain a path. */
async function nameOf(client: TrackingClient, id: string, signal: AbortSignal): Promise<string> {
  const document = await client.documents.get(id, { signal }).catch(error => explainShort(id, error));
  const name = basename(printable(document.file_name ?? '').replaceAll('\\', '/'));
  return /^\.*$/.test(name) ? id : name;
}

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
