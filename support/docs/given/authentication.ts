/** The names that the page about authentication uses and does not declare. */
export const accounts: { name: string; apiKey: string }[] = [
  { name: 'acme', apiKey: process.env.TRACKING_API_KEY ?? '' },
];

export async function requestToken(): Promise<{ value: string; expiresAt: number }> {
  return { value: process.env.TRACKING_API_KEY ?? '', expiresAt: Date.now() + 3_600_000 };
}
