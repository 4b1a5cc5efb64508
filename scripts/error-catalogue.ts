/**
 * Writes `docs/reference/errors.md`: every error of the package, with its cause and remedy, and the class of each error of
 * the service. The codes, causes and remedies come from `support/errors/remedies.ts`, the classes from the entries.
 *
 * node scripts/error-catalogue.ts
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { EXIT } from '../src/cli/command.ts';
import type { APIError } from '../src/errors.ts';
import { type ErrorAnswer, NAMED_ERRORS } from '../src/model/generated/named-errors.ts';
import { failureOf } from '../src/transport/failure.ts';
import { Redactor } from '../src/transport/redact.ts';
import { retryDelay } from '../src/transport/retries.ts';
import { answerOf } from '../src/webhooks/receive/answer.ts';
import { type ErrorClass, errorClasses, sourceCodes } from '../support/errors/classes.ts';
import * as data from '../support/errors/remedies.ts';

const ROOT = resolve(import.meta.dirname, '..');
export const CATALOGUE = resolve(ROOT, 'docs/reference/errors.md');

const INTRODUCTION = `# Errors

Every error of the package has a class, a \`code\` that stays the same between versions, and a message for people. This page lists
all errors, each with its cause and what to do. [The guide about
errors](../guides/errors.md) describes how to catch and log them.

Two kinds of errors are not in the tables. If your \`signal\` aborts, a call rejects with the signal's own reason. If one of your
own functions throws (such as \`open\` of a file, or a handler), you get its error unchanged, or as the \`cause\` of another error.
`;

const CLASSES = `## Classes

An \`instanceof\` check for a class also matches the classes that extend it. All classes are exported by \`container-tracking-sdk\`,
unless the column "Entry" has another entry. \`toJSON()\` returns the fields, \`code\`, \`message\`, and the name of the class as
\`name\`. It does not return the \`cause\`.
`;

const SERVICE = `## Errors of the service

The status of a response decides the class of the error. Only for a 403, the text matters too: if it contains "not enabled" or
"feature", the error is a \`FeatureNotEnabledError\`. The column "Repeated" shows whether the client makes [another
attempt](../guides/retries-and-timeouts.md) by itself after this status.
`;

const NAMED = `### Seen and documented

The table has errors of the service that were seen or are documented. The sandbox can send each of them by its name:
\`sandbox.fail({ error: 'duplicate-document' })\`. The texts are examples, and may change.
`;

/** The statuses in the table of statuses. */
const STATUSES = [302, 400, 401, 403, 404, 405, 408, 409, 413, 422, 429, 500, 502, 503, 504];

/** The text of `docs/reference/errors.md`. @throws {Error} for a code without a remedy, and for a remedy without a code. */
export async function errorCatalogue(): Promise<string> {
  const complaints = differences();
  if (complaints.length > 0) throw new Error(`support/errors/remedies.ts:\n${complaints.join('\n')}`);
  return [
    INTRODUCTION,
    '## Codes\n',
    ...data.REMEDIES.map(({ title, remedies }) => `### ${title}\n\n${codeTable(remedies)}`),
    reasons('Reasons of failed tracking', '`failedReason`', data.FAILED_REASONS),
    reasons('Stages of a failed upload', '`stage`', data.UPLOAD_STAGES),
    reasons('Problems of custom field definitions', '`reason`', data.CUSTOM_FIELD_PROBLEMS),
    refusals(),
    reasons('Reasons of a failed sign-in', '`reason`', data.AUTHORIZATION_FAILURES),
    CLASSES,
    classTable(await errorClasses()),
    SERVICE,
    statusTable(),
    NAMED,
    namedTable(),
    reasons('Failures that tools of the MCP server report to a model', '`error`', data.MODEL_FAILURES, '##'),
    exitTable(),
  ].join('\n');
}

/** The differences between the table of remedies and the codes in the sources. */
export function differences(codes = sourceCodes(), words = modelFailures()): string[] {
  const described = data.REMEDIES.flatMap(({ remedies }) => Object.values(remedies).flatMap(Object.keys));
  return [
    ...without(codes, described).map(code => `- ${code}: no cause and no remedy`),
    ...without(described, codes).map(code => `- ${code}: nothing in src/ constructs it`),
    ...without(words, Object.keys(data.MODEL_FAILURES)).map(word => `- MCP server, ${word}: no cause and no remedy`),
    ...without(Object.keys(data.MODEL_FAILURES), words).map(word => `- MCP server, ${word}: no tool says it`),
  ];
}

/** The words that `error` can contain in a result of a tool of the MCP server. */
function modelFailures(): string[] {
  const folder = join(ROOT, 'src/mcp-server');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const words = files
    .filter(file => file.endsWith('.ts') && !file.startsWith('http'))
    .flatMap(file =>
      Array.from(readFileSync(join(folder, file), 'utf8').matchAll(FAILURE_WORD), match => match[1] ?? ''),
    );
  return [...new Set(words)];
}

const FAILURE_WORD = /(?:\berror: |\bnew ToolFailure\(\s*)'(\w+)'/g;

function without(some: readonly string[], others: readonly string[]): string[] {
  return some.filter(one => !others.includes(one));
}

function codeTable(remedies: data.Remedies): string {
  const rows = Object.entries(remedies).flatMap(([name, codes]) =>
    Object.entries(codes).map(([code, { cause, remedy }]) => [`\`${code}\``, `\`${name}\``, cause, remedy]),
  );
  return table(['Code', 'Class', 'Cause', 'What to do'], rows);
}

function reasons(title: string, name: string, of: Readonly<Record<string, data.Remedy>>, level = '###'): string {
  const rows = Object.entries(of).map(([reason, { cause, remedy }]) => [`\`${reason}\``, cause, remedy]);
  return `${level} ${title}\n\n${table([name, 'Cause', 'What to do'], rows)}`;
}

function refusals(): string {
  const rows = Object.entries(data.REFUSALS).map(([reason, { cause, remedy }]) => [
    `\`${reason}\``,
    String(answerOf(reason as keyof typeof data.REFUSALS).status),
    cause,
    remedy,
  ]);
  const note =
    'The first five reasons are also values of `reason` in a `WebhookVerificationError`. The hook `onRejected` of a receiver gets all of them.\n';
  return `### Refusals of the receiver\n\n${note}\n${table(['`reason`', 'Response', 'Cause', 'What to do'], rows)}`;
}

function classTable(classes: readonly ErrorClass[]): string {
  const rows = classes.map(({ name, parent, entries, fields }) => [
    `\`${name}\``,
    parent ? `\`${parent}\`` : '`Error`',
    fields.map(field => `\`${field}\``).join(', '),
    String(entries) === 'container-tracking-sdk' ? '' : entries.map(entry => `\`${entry}\``).join(', '),
  ]);
  return table(['Class', 'Extends', 'Own fields', 'Entry'], rows);
}

function statusTable(): string {
  const rows = STATUSES.map(status => {
    const error = classOf({ status, body: '' });
    return [String(status), `\`${error.name}\``, `\`${error.code}\``, repetition(error)];
  });
  return table(['Status', 'Class', 'Code', 'Repeated'], rows);
}

/** The calls that are repeated after an error, for the table. */
function repetition(error: APIError): string {
  const policy = { limit: 1, minDelay: 0, maxDelay: 0, maxRetryAfter: 0 };
  const isRepeated = (repeatable: boolean) => retryDelay(error, 1, policy, repeatable) !== undefined;
  if (isRepeated(false)) return 'yes';
  return isRepeated(true) ? 'if the call is safe to repeat' : 'no';
}

function namedTable(): string {
  const rows = Object.entries(NAMED_ERRORS).map(([name, answer]) => {
    const error = classOf(answer);
    const said = error.errors.map(({ detail, title }) => firstSentence(detail || title || '')).join('; ');
    return [`\`${name}\``, String(answer.status), said, `\`${error.name}\``];
  });
  return table(['Name', 'Status', 'Text', 'Class'], rows);
}

function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/.exec(text)?.[0] ?? text;
}

/** The error that a client creates for a response. */
function classOf({ status, headers = {}, body }: ErrorAnswer): APIError {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const url = 'https://host.example/v2/shipments';
  const response = new Response(text, { status, headers });
  return failureOf({
    response,
    text,
    method: 'GET',
    url,
    path: '/shipments',
    attempts: 1,
    redactor: Redactor.of([]),
  });
}

function exitTable(): string {
  const rows = Object.entries(data.EXITS).map(([name, meaning]) => [String(EXIT[name as keyof typeof EXIT]), meaning]);
  return `## Exit codes of the command\n\n${table(['Code', 'Meaning'], [['0', 'The command has succeeded, or a signal has stopped a server.'], ...rows])}`;
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(cell => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return `${[line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')}\n`;
}

if (import.meta.main) {
  writeFileSync(CATALOGUE, await errorCatalogue());
}
