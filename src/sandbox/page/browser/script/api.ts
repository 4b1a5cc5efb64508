import type { ActionName } from '../../sandbox-page.ts';
import type { Snapshot } from '../../snapshot.ts';

/** The type of a value after it was sent as JSON. For example, a `Date` becomes a string. */
type Json<T> = T extends Date
  ? string
  : T extends string | number | boolean | null | undefined
    ? T
    : { [Name in keyof T]: Json<T[Name]> };

/** Everything that the page shows, as the sandbox sends it. */
export type Data = Json<Snapshot>;

/** One entry of a list of {@link Data}. */
export type Item<Name extends keyof Data> = Data[Name] extends readonly (infer Each)[] ? Each : never;

/** The part of the sandbox that the page shows. */
export interface View {
  account: string;
  /** The number of shipments to show. */
  shipments: number;
  /** The id of the shipment whose timelines are shown; empty if none is open. */
  open: string;
  /** The number of the request whose bodies are shown; 0 if none is open. */
  request: number;
}

/** The functions of the page that each section can call. */
export interface Page {
  readonly view: Readonly<View>;
  /** Selects which part of the sandbox the page shows. */
  look(changes: Partial<View>): void;
  /** Changes something in the sandbox, and shows the result. */
  change(name: ActionName, body: object): Promise<void>;
}

// The token comes after the # of the address: browsers do not send this part, so it is not in any log or Referer. The page
// removes it from the address bar, and keeps it as long as the tab is open.
const KEPT = 'sandbox-token';
let token: string | null = null;

/** The error if the sandbox rejects a request. */
export class Refusal extends Error {
  readonly status: number;

  constructor(problem: string, status: number) {
    super(problem);
    this.status = status;
  }
}

/** @returns True if the address had a token. */
export function takeToken(): boolean {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given !== null) {
    sessionStorage.setItem(KEPT, given);
    history.replaceState(null, '', location.pathname);
  }
  token = sessionStorage.getItem(KEPT);
  return given !== null;
}

function dropToken(): void {
  sessionStorage.removeItem(KEPT);
  token = null;
}

/** @throws {Refusal} if the sandbox rejects the request. */
async function call(path: string, options: RequestInit = {}) {
  const headers: HeadersInit = token === null ? {} : { 'x-sandbox-token': token };
  const response = await fetch(path, { ...options, headers, signal: AbortSignal.timeout(10_000) });
  const body = await response.json();
  if (response.ok) return body;
  throw new Refusal(body.error, response.status);
}

/** Everything that the page shows. */
export async function load({ account, shipments, open, request }: View): Promise<Data> {
  const path = `/page/data?${new URLSearchParams({ account, shipments: String(shipments), open, request: String(request) })}`;
  try {
    return await call(path);
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 403) || token === null) throw error;
    // The sandbox was restarted and has another token. Without a token, the page can still show most data.
    dropToken();
    return call(path);
  }
}

/** Changes something. @returns The result in one sentence. */
export async function act(name: ActionName, body: object): Promise<string> {
  const { done } = await call(`/page/actions/${name}`, { method: 'POST', body: JSON.stringify(body) });
  return done;
}
