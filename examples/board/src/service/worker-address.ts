declare global {
  interface Window {
    /** Missing in some browsers. */
    trustedTypes?: { createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown };
  }
}

/**
 * The address of the service worker. The Content-Security-Policy of the page forbids loading a script from a text. So the browser
 * applies the policy `default`, which allows only this address.
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
