/** Every key may be missing or `undefined`: payloads leave keys out (docs/service/webhooks.md#payloads). */
export type PartialOrUndefined<T> = { readonly [K in keyof T]?: T[K] | undefined };
