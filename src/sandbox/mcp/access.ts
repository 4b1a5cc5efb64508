import type { Call } from '../http/call.ts';
import type { RateLimit } from '../http/rate-limit.ts';
import type { Grants } from '../oauth/grants.ts';
import { challenge, resourceOf } from '../oauth/metadata.ts';
import { type Access, JSON_TYPE } from './routes.ts';

/** API keys come as `Token`, access tokens as `Bearer`, and neither as the other. */
export function createAccess(apiKeys: ReadonlySet<string>, grants: Grants, rateLimit: RateLimit | null): Access {
  function holder(call: Call): string | undefined {
    const [, scheme, credential = ''] =
      /^(Token|Bearer) (\S+)$/.exec(call.request.headers.get('authorization') ?? '') ?? [];
    if (scheme === 'Bearer') return grants.holder(credential, resourceOf(call), call.backend.now);
    return scheme === 'Token' && apiKeys.has(credential) ? credential : undefined;
  }
  return {
    admit(call) {
      const key = holder(call);
      if (key !== undefined) return { key };
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
