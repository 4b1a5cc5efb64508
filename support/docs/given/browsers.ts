export async function isSignedIn(request: Request): Promise<boolean> {
  return request.headers.has('cookie');
}
