/**
 * Uploads files and waits until the service has read them.
 *
 *   export TRACKING_BASE_URL=https://host.example/v2 TRACKING_API_KEY=…
 *   node upload-a-document.ts invoice.pdf packing-list.pdf
 */
import { TrackingClient, TrackingError, UploadError } from 'container-tracking-sdk';

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

// The calls of `waitFor` share their requests. Only a webhook with `document.extraction_failed` shows a failed
// extraction. A program that runs all the time should use a webhook for `document.extracted`.
await Promise.all(ids.map(printContents));

async function printContents(id: string): Promise<void> {
  console.log(`Waiting for the contents of ${id}, for at most 2 minutes`);
  try {
    const { name, document_type, last_document_representation } = await client.documents.waitFor(id, {
      waitTimeout: 120_000,
    });
    console.log(`${name}: ${document_type}`, last_document_representation.payload);
  } catch (error) {
    if (!TrackingError.is(error)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
