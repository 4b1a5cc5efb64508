/** Every key may be missing or `undefined`: what a helper accepts, since payloads leave keys out (api/webhooks.md section 7). */
export type Loose<T> = { readonly [K in keyof T]?: T[K] | undefined };
