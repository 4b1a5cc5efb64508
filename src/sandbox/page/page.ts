import { SCENARIO_NAMES, scriptNamed } from '../world/scripts.ts';
import type { PageSource } from './snapshot.ts';

/** The page at `/` of a sandbox. Its files are loaded when somebody opens it. */
export interface Page {
  /** The token that a request needs to change something. */
  readonly token: string;
  /** The names under which the page may be opened, besides addresses and `localhost`. */
  readonly hosts: Set<string>;
  /** True if an address belongs to the page. */
  isAt(url: string): boolean;
  /** Responds to a request of the page. The log, the faults and the limits of the service ignore such a request. */
  answer(request: Request): Promise<Response>;
}

export function createPage(shown: Omit<PageSource, 'token' | 'hosts' | 'scenarios'>): Page {
  const hosts = new Set<string>();
  const scenarios = SCENARIO_NAMES.map(name => ({ name, description: scriptNamed(name).description }));
  let token: string | undefined;
  const page: Page = {
    hosts,
    // Some runtimes have no random numbers before the first request. Therefore the token is created at its first use.
    get token() {
      token ??= createToken();
      return token;
    },
    isAt: url => /^\w+:\/\/[^/?#]*\/(?:page\/[^?#]*)?(?:[?#]|$)/.test(url),
    async answer(request) {
      const { answerPage } = await import('./sandbox-page.ts');
      return answerPage({ ...shown, hosts, scenarios, token: page.token }, request);
    },
  };
  return page;
}

/** 128 random bits, as text that can be part of an address. */
function createToken(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
}
