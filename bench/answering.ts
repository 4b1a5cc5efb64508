import { type ChildServer, serveAsChild, startChild } from './child-server.ts';
import { fixture } from './fixtures.ts';

/** The body of every response: a shipment with its included records, 13 kB. */
export const ANSWER = fixture('shipments.get.include.json');

/** A server in its own process that sends the same 200 to every request. */
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
