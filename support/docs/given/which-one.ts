/** The names that the page about the choice uses and does not declare. */
export async function callYard(_number: string): Promise<void> {}
