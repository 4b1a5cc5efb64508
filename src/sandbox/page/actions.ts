import { ConfigurationError } from '../../errors.ts';
import { isRecord } from '../../jsonapi/document.ts';
import type { Fault } from '../http/faults.ts';
import type { Duration } from '../state/clock.ts';
import type { ScenarioName } from '../world/scripts.ts';
import { jsonAnswer, refused } from './answers.ts';
import type { PageAccount, PageSource } from './source.ts';

type Body = Record<string, unknown>;

/** @returns What was done, in one sentence. */
type Action = (source: PageSource, body: Body) => string | Promise<string>;

/** What the page can change. */
const ACTIONS = {
  advance(source, body) {
    source.advance(body as Duration);
    return `The clock shows ${source.clock().now.toISOString().slice(0, 16).replace('T', ' ')} UTC.`;
  },
  'add-fault'(source, body) {
    source.fail(body as Fault);
    return 'The fault applies from the next request on.';
  },
  'end-fault'({ faults }, { index }) {
    const fault = faults()[Number(index)];
    // It keeps its place, by which the seed decides about the others.
    if (fault !== undefined) fault.left = 0;
    return 'The fault has ended.';
  },
  track: (source, { account, ...body }) => track(source, accountNamed(source, account), body),
  async scenario(source, body) {
    const account = accountNamed(source, body.account);
    const { number, scac, requestType } = account.scenario(body.name as ScenarioName);
    return track(source, account, { number, scac, type: requestType });
  },
} satisfies Record<string, Action>;

export type ActionName = keyof typeof ACTIONS;

export function actionNamed(name: string): Action | undefined {
  return isAction(name) ? ACTIONS[name] : undefined;
}

function isAction(name: string): name is ActionName {
  return Object.hasOwn(ACTIONS, name);
}

/** Does it, and says what came of it. */
export async function act(action: Action, source: PageSource, request: Request): Promise<Response> {
  try {
    const body: unknown = JSON.parse(await request.text());
    if (!isRecord(body)) return refused(400, 'The body must be a JSON object.');
    return jsonAnswer(200, { done: await action(source, body) });
  } catch (error) {
    if (error instanceof ConfigurationError || error instanceof Refusal) return refused(422, error.message);
    if (error instanceof SyntaxError) return refused(400, 'The body must be JSON.');
    throw error;
  }
}

class Refusal extends Error {}

function accountNamed({ accounts }: PageSource, name: unknown): PageAccount {
  const found = accounts.find(account => account.name === name);
  if (found === undefined) throw new Refusal(`There is no account ${String(name)}.`);
  return found;
}

/** As a program would do it: with a key, counted by the rate limit, and subject to the faults. */
async function track(source: PageSource, account: PageAccount, { number, scac, type }: Body): Promise<string> {
  const attributes = { request_number: number, request_type: type, ...(scac !== '' && { scac }) };
  const request = new Request('http://localhost/v2/tracking_requests', {
    method: 'POST',
    headers: { authorization: `Token ${account.apiKeys[0]}`, 'content-type': 'application/vnd.api+json' },
    body: JSON.stringify({ data: { type: 'tracking_request', attributes } }),
  });
  const [status, text] = await source.send(request).then(
    async response => [response.status, await response.text()] as const,
    () => [0, ''] as const,
  );
  if (status === 201) return `${String(number)} is being tracked.`;
  throw new Refusal(status === 0 ? 'The connection was dropped by a fault.' : problemIn(status, text));
}

function problemIn(status: number, text: string): string {
  try {
    const { title, detail } = JSON.parse(text).errors[0];
    return `The service answered ${status}: ${detail ?? title}`;
  } catch {
    return `The service answered ${status}.`;
  }
}
