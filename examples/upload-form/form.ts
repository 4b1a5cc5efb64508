/** A form that uploads one document and shows its progress. Bundle it as `form.js`, beside `index.html`. */
import { TrackingClient, UploadError, type UploadProgress } from 'container-tracking-sdk';

const form = element('form', HTMLFormElement);
const input = element('input[type=file]', HTMLInputElement);
const submit = element('button[type=submit]', HTMLButtonElement);
const cancel = element('button[name=cancel]', HTMLButtonElement);
const bar = element('progress', HTMLProgressElement);
const output = element('output', HTMLOutputElement);

const client = new TrackingClient({
  baseUrl: new URL(form.dataset.baseUrl ?? '/v2', location.href).href,
  // An API key must not be in a page: your server issues short-lived tokens to users who have signed in.
  accessToken: async () => (await fetch('/token')).text(),
});

form.addEventListener('submit', async event => {
  event.preventDefault();
  const [file] = input.files ?? [];
  if (!file) return;
  const controller = new AbortController();
  cancel.onclick = () => controller.abort();
  setBusy(true);
  try {
    const { signal } = controller;
    const document = await client.documents.upload({ file, signal, onProgress: show, onDuplicate: 'return' });
    output.textContent = `Uploaded as ${document.name}`;
  } catch (error) {
    output.textContent = controller.signal.aborted ? 'Cancelled' : describe(error);
  } finally {
    setBusy(false);
  }
});

function show({ stage, loaded, total }: UploadProgress): void {
  output.textContent = stage === 'hash' ? 'Reading …' : 'Sending …';
  bar.max = total || 1;
  bar.value = total === 0 ? 1 : loaded;
}

function describe(error: unknown): string {
  return UploadError.is(error) ? `Failed (${error.stage}): ${error.message}` : String(error);
}

function setBusy(busy: boolean): void {
  submit.disabled = busy;
  cancel.disabled = !busy;
  bar.hidden = !busy;
}

function element<E extends Element>(selector: string, type: new () => E): E {
  const found = document.querySelector(selector);
  if (found instanceof type) return found;
  throw new Error(`The page has no ${selector}.`);
}
