import type { Call } from '../http/call.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { Grants } from '../oauth/grants.ts';
import { challenge, resourceOf } from '../oauth/metadata.ts';
import type { Accounts } from '../state/accounts.ts';
import type { Backend } from '../state/backend.ts';
import { type Access, JSON_TYPE } from './routes.ts';

/** API keys come as `Token`, access tokens as `Bearer`, and neither as the other. */
export function createAccess(accounts: Accounts, grants: Grants, rateLimit: RateLimit | null): Access {
  function holder(call: Call): { key: string; account: Backend | undefined } | undefined {
    const [, scheme, credential = ''] =
      /^(Token|Bearer) (\S+)$/.exec(call.request.headers.get('authorization') ?? '') ?? [];
    if (scheme === 'Token') return { key: credential, account: accounts.withKey(credential) };
    if (scheme !== 'Bearer') return undefined;
    const held = grants.holder(credential, resourceOf(call), call.backend.now);
    return held && { key: held.key, account: accounts.named(held.account) };
  }
  return {
    admit(call) {
      const { key = '', account } = holder(call) ?? {};
      if (account !== undefined) {
        call.noteAccount(account);
        return { key, account };
      }
      const body = { error: 'Unauthorized', message: 'The credential is missing, wrong or expired.' };
      return { refused: { status: 401, headers: { ...JSON_TYPE, ...challenge(call) }, body } };
    },
    count({ backend }, key) {
      const waitMs = rateLimit?.count(key, 'default', backend.clock.elapsed()) ?? null;
      if (waitMs === null) return undefined;
      const seconds = Math.max(1, Math.ceil(waitMs / 1000));
      const body = { error: 'Too Many Requests', message: `Try again in ${seconds} s.` };
      return { status: 429, headers: { ...JSON_TYPE, 'retry-after': String(seconds) }, body };
    },
  };
}
