import { act, actionNamed } from './actions.ts';
import { fileAnswer, jsonAnswer, refused } from './answers.ts';
import { hasToken, refusalOf } from './door.ts';
import { FILES } from './files.ts';
import { snapshot } from './snapshot.ts';
import type { PageSource } from './source.ts';

/** Answers a request for the page: its files, its data, and what it changes. */
export async function answerPage(source: PageSource, request: Request): Promise<Response> {
  const url = new URL(request.url);
  const refusal = refusalOf(request, url, source);
  if (refusal !== null) return refused(403, refusal);

  const action = actionNamed(url.pathname.replace('/page/actions/', ''));
  if (action !== undefined) {
    if (request.method !== 'POST') return refused(405, 'Send a POST.', { allow: 'POST' });
    return hasToken(request, source) ? act(action, source, request) : refused(403, WITHOUT_TOKEN);
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') return refused(405, 'Send a GET.', { allow: 'GET, HEAD' });
  const answer = answerFor(url, source, hasToken(request, source));
  return request.method === 'HEAD' ? new Response(null, answer) : answer;
}

function answerFor(url: URL, source: PageSource, isTrusted: boolean | null): Response {
  if (url.pathname === '/page/data') {
    if (isTrusted === false) return refused(403, WITHOUT_TOKEN);
    return jsonAnswer(200, snapshot(source, url.searchParams, isTrusted === true));
  }
  const file = FILES.get(url.pathname);
  return file === undefined ? refused(404, 'The page has no such file.') : fileAnswer(...file);
}

const WITHOUT_TOKEN = 'This needs the token of this sandbox. It stands in the address that was printed at the start.';
