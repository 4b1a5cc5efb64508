import { describe, expect, test } from 'vitest';
import { AuthorizationError, memoryTokenStore, type TokenStore } from '../../src/mcp/index.ts';
import { rejection } from '../../support/client.ts';
import { gate } from '../../support/gate.ts';
import { person, servedSandbox, signedIn } from '../../support/mcp.ts';

const never = () => new Promise<void>(() => {});

/** Resolves when no sign-in is open: the store runs one task at a time, and a sign-in is a task. */
function over(store: TokenStore, { mcpUrl }: { mcpUrl: string }): Promise<void> {
  return store.exclusive(mcpUrl, async () => {});
}

describe('an openBrowser whose promise settles only when the browser is closed', () => {
  test('does not delay the sign-in', async () => {
    const { server } = await servedSandbox();
    const openBrowser = (url: URL) => person()(url).then(never);
    expect(await (await signedIn(server, { openBrowser })).listTools()).toHaveLength(10);
  });

  test('does not delay the sign-in with a custom page', async () => {
    const { server } = await servedSandbox();
    const back = gate();
    let came = new URL('http://127.0.0.1:9/callback');
    const openBrowser = async (url: URL) => {
      const form = new URLSearchParams(url.searchParams);
      form.set('decision', 'allow');
      const target = new URL('/oauth/authorize', url);
      const response = await fetch(target, { method: 'POST', body: form, redirect: 'manual' });
      came = new URL(response.headers.get('location') ?? '');
      back.open();
      await never();
    };
    const redirect = { url: came.href, received: () => back.opened.then(() => came) };
    expect(await (await signedIn(server, { openBrowser, redirect })).listTools()).toHaveLength(10);
  });

  test('does not prevent signInTimeout, the signal and close() from ending a sign-in, with nothing left open', async () => {
    const { sandbox, server } = await servedSandbox();
    const pages: URL[] = [];
    const opened = [gate(), gate(), gate()];
    const openBrowser = (url: URL) => {
      pages.push(new URL(url.searchParams.get('redirect_uri') ?? ''));
      opened[pages.length - 1]?.open();
      return never();
    };
    const store = memoryTokenStore();

    const late = await rejection(signedIn(server, { store, openBrowser, signInTimeout: 30 }));
    expect(late).toMatchObject({ reason: 'timeout' });
    await over(store, server);

    const controller = new AbortController();
    const reason = new Error('enough');
    const aborted = rejection(signedIn(server, { store, openBrowser }, { signal: controller.signal }));
    await opened[1]?.opened;
    controller.abort(reason);
    expect(await aborted).toBe(reason);
    await over(store, server);

    let isFirst = true;
    const mcp = await signedIn(server, {
      store,
      openBrowser: url => {
        if (!isFirst) return openBrowser(url);
        isFirst = false;
        return person()(url);
      },
    });
    sandbox.advance({ hours: 2 });
    await store.write(server.mcpUrl, undefined);
    const under = rejection(mcp.listTools());
    await opened[2]?.opened;
    await mcp.close();
    expect(await under).toMatchObject({ name: 'ConnectionError' });
    await over(store, server);

    expect(pages).toHaveLength(3);
    for (const page of pages) expect(String(await rejection(fetch(page)))).toContain('fetch failed');
  });
});

describe('an openBrowser that fails', () => {
  const failure = new Error('no browser here');

  test.each([
    [
      'at once',
      () => {
        throw failure;
      },
    ],
    ['later', () => Promise.reject(failure)],
  ])('%s ends the sign-in with its error as the cause', async (_, openBrowser) => {
    const { server } = await servedSandbox();
    const store = memoryTokenStore();
    const error = await rejection(signedIn(server, { store, openBrowser }));
    expect(error).toBeInstanceOf(AuthorizationError);
    expect(error).toMatchObject({ reason: 'no_browser', cause: failure });
    await over(store, server);
  });

  test('after the callback changes nothing', async () => {
    const { server } = await servedSandbox();
    const closed = gate();
    const openBrowser = (url: URL) =>
      person()(url)
        .then(() => closed.opened)
        .then(() => Promise.reject(failure));
    const mcp = await signedIn(server, { openBrowser });
    closed.open();
    expect(await mcp.listTools()).toHaveLength(10);
  });
});
