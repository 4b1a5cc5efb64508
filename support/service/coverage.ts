import { TrackingClient } from '../../src/index.ts';
import { calls } from './calls.ts';
import { typeVerdicts } from './compile.ts';
import { complaintsAbout, requestComplaints } from './conformance.ts';
import { damaged } from './damage.ts';
import { operations } from './description.ts';
import { METHOD_OF } from './exceptions.ts';
import { type Exchange, type Run, runEveryOperation } from './run.ts';

/** One operation, with the results of a run. An empty cell means that the run did not prove this point. */
export interface Row {
  operation: string;
  /** The method that the client reported to its hooks when it sent the described request. */
  method: string;
  /** The result of compiling the type test of the method. */
  types: string;
  /**
   * The result of `validation: 'strict'`: it must accept the correct response, and must refuse the response if one
   * field is wrong.
   */
  schema: string;
  /** The status in the request log of the sandbox. */
  sandbox: string;
  /** The comparison of status, shape, links and meta with the description. */
  socket: string;
  reason?: string;
}

/** Calls every operation over a socket, compiles every type test, and fills the table with the results. */
export async function coverage(): Promise<Row[]> {
  const verdicts = typeVerdicts();
  const run = await runEveryOperation();
  const rows: Row[] = [];
  for (const operation of operations) {
    const exchange = run.exchanges.get(operation.name);
    const { method, reason } = METHOD_OF[operation.name] ?? {};
    rows.push({
      operation: operation.name,
      method: methodCell(operation, exchange),
      types: verdicts.get(operation.name)?.length === 0 ? 'passes' : '',
      schema: method === null ? '' : await schemaCell(operation, exchange, run),
      sandbox: exchange?.log.length === 1 && exchange.status ? String(exchange.log[0]?.status) : '',
      socket: exchange && complaintsAbout(operation, exchange).length === 0 ? 'passes' : '',
      ...(reason !== undefined && { reason }),
    });
  }
  return rows;
}

function methodCell(operation: (typeof operations)[number], exchange: Exchange | undefined): string {
  if (!exchange || requestComplaints(operation, exchange).length > 0) return '';
  const method = METHOD_OF[operation.name]?.method ?? operation.name;
  // The bytes of a file are sent to the storage, and hooks are not called for this request.
  const reported = operation.name === 'directUploads.put' ? method : exchange.methods.join();
  return reported === method ? method : '';
}

async function schemaCell(operation: (typeof operations)[number], exchange: Exchange | undefined, run: Run) {
  if (!exchange || exchange.error !== undefined) return '';
  const { body = '', status = 200 } = exchange;
  if (operation.answer.shape === 'nothing') return body === '' ? 'no body' : '';
  const wrong = damaged(operation, body);
  if (wrong === undefined) return '';
  const [whole, broken] = [
    await decoded(operation.name, body, status, run),
    await decoded(operation.name, wrong, status, run),
  ];
  return whole === undefined && broken === 'ResponseFormatError' ? 'strict' : '';
}

/** The name of the error with which the method rejects this response. */
async function decoded(operation: string, body: string, status: number, { world }: Run): Promise<string | undefined> {
  const client = new TrackingClient({
    baseUrl: 'https://service.example/v2',
    apiKey: 'key',
    rateLimit: false,
    retry: false,
    validation: 'strict',
    logger: false,
    fetch: async () => new Response(body, { status, headers: { 'content-type': 'application/vnd.api+json' } }),
  });
  return Promise.resolve(calls[operation]?.(client, world)).then(
    () => undefined,
    (error: Error) => error.name,
  );
}

export const isFull = ({ method, types, schema, sandbox, socket }: Row) =>
  [method, types, schema, sandbox, socket].every(cell => cell !== '');

const INTRODUCTION = `# Coverage

The coverage table lists every operation of the service, with the results of a test run. No cell is written by hand:
\`node scripts/service-coverage.ts\` calls every method against the sandbox over a socket and writes this page. A test compares
this page with a new run.

| Column | Filled with |
|---|---|
| Method | the method that sent the described request, as reported to the hooks |
| Types | the result of compiling a test of the method. The test is made from the description, and uses parameters, body, includes and every field of the result |
| Schema | \`strict\`: under \`validation: 'strict'\` the method accepts the response, and refuses it when one field is wrong. \`no body\`: the response had no body, as described |
| Sandbox | the status in the sandbox's log of requests |
| Socket | the comparison of request, status, shape, links and meta with the description |
`;

/** The page docs/service/coverage.md. */
export function coveragePage(rows: readonly Row[]): string {
  const cell = (text: string) => text || '–';
  const lines = rows.map(({ operation, method, types, schema, sandbox, socket }) =>
    [operation, method && `\`${method}\``, types, schema, sandbox, socket].map(cell).join(' | '),
  );
  const reasons = rows
    .filter(({ reason }) => reason !== undefined)
    .map(({ operation, reason }) => `- ${operation}: ${reason}.`);
  return [
    INTRODUCTION,
    `${rows.filter(isFull).length} of ${rows.length} rows are full.`,
    '',
    '| Operation | Method | Types | Schema | Sandbox | Socket |',
    '|---|---|---|---|---|---|',
    ...lines.map(line => `| ${line} |`),
    '',
    'Some operations have no method, or their method has another name:',
    '',
    ...reasons,
    '',
  ].join('\n');
}
