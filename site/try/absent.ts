/** Names that modules of `support/docs/given` import and that no page can have. Snippets that use these names are not run. */
export function createClient(): undefined {}
export function appendFileSync(): undefined {}
