export type Schemas = typeof import('./schema-check.ts');

let loaded: Schemas | undefined;

/** The schemas are a chunk of their own, loaded with the first answer that is checked. `undefined` before that. */
export function loadedSchemas(): Schemas | undefined {
  return loaded;
}

/** No promise is kept: in Workers, one belongs to the request that made it. */
export async function loadSchemas(): Promise<Schemas> {
  loaded = await import('./schema-check.ts');
  return loaded;
}
