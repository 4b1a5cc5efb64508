declare global {
  interface Window {
    /** Not in every browser. */
    trustedTypes?: { createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown };
  }
}

/**
 * The address of the service worker. The page allows no script to be loaded from a text (see its Content-Security-Policy), so
 * the browser applies the policy `default`, and that allows this one address.
 */
export function workerAddress(): string {
  const { pathname } = new URL('./mockServiceWorker.js', document.baseURI);
  window.trustedTypes?.createPolicy('default', {
    createScriptURL(url) {
      if (new URL(url, document.baseURI).pathname === pathname) return url;
      throw new TypeError(`${url} is not the service worker.`);
    },
  });
  return pathname;
}
