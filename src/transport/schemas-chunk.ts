export type Schemas = typeof import('./schema-check.ts');

let loaded: Schemas | undefined;

/** The schemas are a separate chunk, loaded when the first answer is checked. `undefined` before that. */
export function loadedSchemas(): Schemas | undefined {
  return loaded;
}

/** The promise is not kept, because in Workers a promise belongs to the request that made it. */
export async function loadSchemas(): Promise<Schemas> {
  loaded = await import('./schema-check.ts');
  return loaded;
}
