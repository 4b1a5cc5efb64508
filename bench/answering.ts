import { type ChildServer, serveAsChild, startChild } from './child-server.ts';
import { fixture } from './fixtures.ts';

/** The body of every response: a shipment with its included records, 13 kB. */
export const ANSWER = fixture('shipments.get.include.json');

/** Starts a server in its own process. It sends the same response to every request. */
export function startAnswering(): Promise<ChildServer> {
  return startChild(import.meta.filename);
}

serveAsChild(import.meta.filename, () => {
  const body = Buffer.from(ANSWER);
  return (request, response) => {
    // Some clients parse only plain JSON.
    const type = request.url?.startsWith('/v2/') ? 'application/vnd.api+json' : 'application/json';
    response.writeHead(200, { 'content-type': type, 'content-length': body.length }).end(body);
  };
});
