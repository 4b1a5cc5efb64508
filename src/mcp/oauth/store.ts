/** What is kept of a sign-in. Everything but the issuer is secret. */
export interface SignIn {
  /** The authorization server that all of it is from. It is never shown to another. */
  issuer: string;
  /** How this program is registered there, in the names of the protocol. */
  client: RegisteredClient;
  /** The tokens; none after they were revoked. */
  tokens?: Tokens | undefined;
  /** Where the MCP server says who its authorization server is, if not at the usual place. */
  resourceMetadataUrl?: string | undefined;
}

/** A program as the authorization server knows it. */
export interface RegisteredClient {
  /** Its id. */
  client_id: string;
  /** Its secret, where it has one. */
  client_secret?: string | undefined;
  /** How it shows that secret. */
  token_endpoint_auth_method?: string | undefined;
  /** Where browsers are sent back to. */
  redirect_uri: string;
}

/** What a person has allowed. */
export interface Tokens {
  /** Sent with each request. */
  accessToken: string;
  /** For the next access token. A new one may come with it; then the old one is worth nothing. */
  refreshToken?: string | undefined;
  /** When to get the next one, shortly before this one expires, in ms since the epoch. */
  renewAt?: number | undefined;
  /** What was allowed, in words with spaces between. */
  scope?: string | undefined;
}

/**
 * Keeps sign-ins, so that a person signs in once. One store may be used by many connections and, where it can be, by many
 * processes.
 */
export interface TokenStore {
  /**
   * Names the place where the sign-ins are kept. The connections of stores with the same `id` share one request budget, since
   * they act for the same person.
   * @default each connection has a budget of its own
   */
  readonly id?: string | undefined;
  /** What was written last for the address of an MCP server. */
  read(url: string): Promise<SignIn | undefined>;
  /** Keeps it; `undefined` forgets it. Only called within `exclusive` for the same address. */
  write(url: string, signIn: SignIn | undefined): Promise<void>;
  /**
   * Runs a task while no other task for this address runs, in any process. A refresh token is good for one use, so reading,
   * refreshing and writing must not mix with those of somebody else. A task may take minutes: a person may have to sign in.
   *
   * @param signal aborts when the connection is closed. A task that still waits then need not run: reject with the signal's reason.
   */
  exclusive<T>(url: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** A store for one process. After it ends, people sign in again. */
export function memoryTokenStore(): TokenStore {
  const signIns = new Map<string, SignIn>();
  const queues = createQueues();
  return {
    id: `memory ${crypto.randomUUID()}`,
    read: async url => signIns.get(url),
    async write(url, signIn) {
      if (signIn) signIns.set(url, structuredClone(signIn));
      else signIns.delete(url);
    },
    exclusive: queues,
  };
}

/** Runs the tasks of one name after one another. */
export function createQueues(): <T>(name: string, task: () => Promise<T>) => Promise<T> {
  const lasts = new Map<string, Promise<unknown>>();
  return async (name, task) => {
    const before = lasts.get(name);
    const run = before ? before.then(task) : task();
    const last = run.catch(() => {});
    lasts.set(name, last);
    try {
      return await run;
    } finally {
      if (lasts.get(name) === last) lasts.delete(name);
    }
  };
}
