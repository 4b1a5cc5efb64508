export async function deploySecrets(_secrets: string[]): Promise<void> {}
