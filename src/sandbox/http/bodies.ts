/** The bodies of a request and of its response, as texts. `null` if there is no body, or if the body is not JSON. */
export interface Bodies {
  request: string | null;
  response: string | null;
}

/** The bodies of the latest requests, by the number of the request. */
export interface BodyLog {
  of(request: number): Bodies | undefined;
  note(request: number, part: Partial<Bodies>): void;
}

const KEPT = 60;
const MAX_LENGTH = 50_000;

export function createBodyLog(): BodyLog {
  const byRequest = new Map<number, Bodies>();
  return {
    of: request => byRequest.get(request),
    note(request, part) {
      const bodies = byRequest.get(request) ?? { request: null, response: null };
      byRequest.set(request, bodies);
      for (const oldest of byRequest.keys()) if (oldest <= request - KEPT) byRequest.delete(oldest);
      if (part.request) bodies.request = shortened(part.request);
      if (part.response) bodies.response = shortened(part.response);
    },
  };
}

function shortened(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}\n… (${text.length} characters)` : text;
}
