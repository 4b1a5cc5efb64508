/**
 * Uploads files and waits until the service has read them.
 *
 *   export TRACKING_BASE_URL=https://host.example/v2 TRACKING_API_KEY=…
 *   node upload-a-document.ts invoice.pdf packing-list.pdf
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { TrackingClient, UploadError } from 'container-tracking-sdk';

// The address and the key come from the environment.
const client = new TrackingClient();
const paths = process.argv.slice(2);
const ids: string[] = [];

const results = client.documents.uploadMany(
  paths.map(file => ({ file })),
  {
    onDuplicate: 'return',
    onProgress: ({ item, stage, loaded, total }) => {
      const percent = total === 0 ? 100 : Math.floor((100 * loaded) / total);
      process.stderr.write(`\r${item.file} ${stage === 'hash' ? 'read' : 'sent'} ${percent} % `);
    },
  },
);
for await (const result of results) {
  process.stderr.write('\r\u001b[K');
  if (result.ok) {
    ids.push(result.document.id);
    console.log(`${result.item.file} is document ${result.document.id}`);
  } else {
    const stage = UploadError.is(result.error) ? ` (${result.error.stage})` : '';
    console.error(`${result.item.file} failed${stage}: ${result.error}`);
    process.exitCode = 1;
  }
}

// For programs that run on, a webhook for `document.extracted` is better than asking again and again.
for (const id of ids) {
  for (let attempt = 0; attempt < 30; attempt++) {
    const document = await client.documents.get(id, { include: ['last_document_representation'] });
    if (document.last_document_representation) {
      console.log(`${document.name}: ${document.document_type}`, document.last_document_representation.payload);
      break;
    }
    await sleep(10_000);
  }
}
