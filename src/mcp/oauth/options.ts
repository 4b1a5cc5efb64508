/** How a person signs in. */
export interface OAuthOptions {
  store?: unknown;
}
