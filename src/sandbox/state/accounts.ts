import { type Backend, runAgenda } from './backend.ts';

/** The accounts of the sandbox. They share the clock and the world, and nothing else. */
export interface Accounts {
  readonly all: readonly Backend[];
  /** The first account, which is also used for requests that belong to no account. */
  readonly first: Backend;
  named(name: string): Backend | undefined;
  /** The account that an API key belongs to. */
  withKey(key: string): Backend | undefined;
}

export function createAccounts(first: Backend, ...others: Backend[]): Accounts {
  const all = [first, ...others];
  const byKey = new Map(all.flatMap(backend => backend.account.apiKeys.map(key => [key, backend])));
  return {
    all,
    first,
    named: name => all.find(({ account }) => account.name === name),
    withKey: key => byKey.get(key),
  };
}

/** Runs the due tasks of all accounts. */
export function runAgendas({ all }: Accounts): void {
  for (const backend of all) runAgenda(backend);
}
