/** The names that the page `which-one.md` uses and does not declare. */
export async function callYard(_number: string): Promise<void> {}
