import { type TrackingClient, UploadError, type UploadProgress } from 'container-tracking-sdk';
import { element, h } from './dom.ts';
import { words } from './format.ts';

/** Uploads documents. Shows the progress of each document, and the data that the service has read from the document. */
export function uploads(client: TrackingClient): void {
  const zone = element('#drop', HTMLElement);
  const input = element('#file', HTMLInputElement);
  const list = element('#uploads', HTMLElement);
  const start = (files: Iterable<File>) => {
    for (const file of files) upload(client, file, list);
  };
  input.addEventListener('change', () => {
    start(input.files ?? []);
    input.value = '';
  });
  zone.addEventListener('dragover', event => {
    event.preventDefault();
    zone.classList.add('over');
  });
  zone.addEventListener('dragleave', () => zone.classList.remove('over'));
  zone.addEventListener('drop', event => {
    event.preventDefault();
    zone.classList.remove('over');
    start(event.dataTransfer?.files ?? []);
  });
}

async function upload(client: TrackingClient, file: File, list: HTMLElement): Promise<void> {
  const bar = h('progress', { max: '1', value: '0', 'aria-label': `Upload of ${file.name}` });
  const state = h('small', { role: 'status' }, 'Waiting …');
  list.prepend(h('li', {}, h('b', {}, file.name), bar, state));

  /** The first half of the bar is the checksum, and the second half is the transfer. */
  function onProgress({ stage, loaded, total }: UploadProgress): void {
    const share = total === 0 ? 1 : loaded / total;
    bar.value = stage === 'hash' ? share / 2 : (1 + share) / 2;
    state.textContent = stage === 'hash' ? 'Computing the checksum …' : 'Sending …';
  }

  try {
    const document = await client.documents.upload({ file, onProgress, onDuplicate: 'return' });
    bar.value = 1;
    state.textContent = 'Stored. The service reads it …';
    const { document_type, last_document_representation } = await client.documents.waitFor(document.id);
    const count = Object.keys(last_document_representation.payload).length;
    state.textContent = `${words(document_type ?? 'document')}: ${count} fields read`;
  } catch (error) {
    state.className = 'failed';
    state.textContent = UploadError.is(error) ? `Failed (${error.stage}): ${error.message}` : String(error);
  }
}
