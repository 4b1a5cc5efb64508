/** Every key may be missing or `undefined`: webhook payloads leave keys out (docs/service/webhooks.md#payloads). */
export type PartialOrUndefined<T> = { readonly [K in keyof T]?: T[K] | undefined };
