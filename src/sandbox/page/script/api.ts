/**
 * The page's side of its requests. The token comes after the # of the address: a browser sends this part to nobody, and it
 * stands in no log and no Referer. It is taken out of the address bar, and kept for as long as the tab is open.
 */
export const api = `
const KEPT = 'sandbox-token';
let token = null;

// @returns Whether the address had a token.
export function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (given !== null) {
    sessionStorage.setItem(KEPT, given);
    history.replaceState(null, '', location.pathname);
  }
  token = sessionStorage.getItem(KEPT);
  return given !== null;
}

function dropToken() {
  sessionStorage.removeItem(KEPT);
  token = null;
}

async function call(path, options = {}) {
  const headers = token === null ? {} : { 'x-sandbox-token': token };
  const response = await fetch(path, { ...options, headers, signal: AbortSignal.timeout(10000) });
  const body = await response.json();
  if (response.ok) return body;
  throw Object.assign(new Error(body.error), { status: response.status });
}

// What the page shows.
export async function load(query) {
  try {
    return await call('/page/data?' + new URLSearchParams(query));
  } catch (error) {
    if (error.status !== 403 || token === null) throw error;
    // The sandbox was started again. What needs no token can still be seen.
    dropToken();
    return call('/page/data?' + new URLSearchParams(query));
  }
}

// Changes something.
export async function act(name, body) {
  const { done } = await call('/page/actions/' + name, { method: 'POST', body: JSON.stringify(body) });
  return done;
}
`;
