export type CheckDocument = typeof import('../schemas/check.ts').checkDocument;

let loaded: CheckDocument | undefined;

/** The schemas are a chunk of their own, loaded with the first answer that is checked. `undefined` before that. */
export function loadedSchemas(): CheckDocument | undefined {
  return loaded;
}

/** No promise is kept: in Workers, one belongs to the request that made it. */
export async function loadSchemas(): Promise<CheckDocument> {
  loaded = (await import('../schemas/check.ts')).checkDocument;
  return loaded;
}
