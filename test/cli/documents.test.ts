import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sandboxed, terminal } from './command-line.ts';

const { client, ct, sandbox } = sandboxed({ shipments: 12 });

/** A shipment that a document refers to, with the number of these documents. */
async function shipmentWithDocuments() {
  for (const { bill_of_lading_number: number } of await client.shipments.list().toArray()) {
    const { data } = await client.documents.list({ filter: { reference: number } });
    if (data.length > 0) return { number, count: data.length };
  }
  throw new Error('The sandbox has no document of a shipment.');
}

test('on a terminal, the command shipments get prints the number of documents, and the command that lists them', async () => {
  const { number, count } = await shipmentWithDocuments();
  terminal(80);
  const { out } = await ct('shipments', 'get', number);
  const next = `documents list --filter reference=${number}`;
  expect(out).toContain(`\n${count} document${count === 1 ? '' : 's'}: container-tracking ${next}\n`);
  terminal(undefined);
  const listed = await ct(...next.split(' '));
  expect(listed.json().length).toBe(count);
  expect((await ct('documents', 'list', '--help')).out.replaceAll(/\s+/g, ' ')).toContain('--filter reference=NUMBER');
});

test('JSON of a shipment needs no request for its documents', async () => {
  const [shipment] = (await client.shipments.list({ pageSize: 1 })).data;
  const before = sandbox.requests.length;
  await ct('shipments', 'get', shipment?.id ?? '', '--json');
  expect(sandbox.requests.slice(before).filter(({ path }) => path.includes('documents'))).toEqual([]);
});

test('a table of documents at 80 columns has whole names, and ids that the other commands accept', async () => {
  const filename = 'arrival-notice-of-the-carrier-MEDU1234567.pdf';
  const { id } = await client.documents.upload({ file: new Blob(['%PDF-1.4']), filename });
  terminal(80);
  const { out } = await ct('documents', 'list');
  const line = out.split('\n').find(each => each.includes(filename)) ?? '';
  const [short = ''] = line.split(' ');
  expect(id.startsWith(short)).toBe(true);
  terminal(undefined);
  expect(await ct('documents', 'get', short, '--fields', 'id')).toMatchObject({
    err: '',
    out: expect.stringContaining(id),
  });
  expect((await ct('documents', 'list', '--csv', '--columns', 'id')).out).toContain(id);
});

test('upload of the same content names the existing document, and prints it with the option --on-duplicate return', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'upload-')), 'invoice.pdf');
  writeFileSync(file, '%PDF-1.4 same');
  const [{ id }] = (await ct('documents', 'upload', file)).json();
  const { code, err } = await ct('documents', 'upload', file);
  expect(code).toBe(1);
  expect(err).toContain(`container-tracking documents get ${id}. `);
  expect(err).toContain('--on-duplicate return');
  expect(err).not.toContain('onDuplicate');
  const { last } = await ct('documents', 'upload', file, '--json');
  expect(JSON.parse(last)).toMatchObject({ existing_document_id: id });
  expect((await ct('documents', 'upload', file, '--on-duplicate', 'return')).json()).toMatchObject([{ id }]);
  expect(await ct('documents', 'upload', file, '--on-duplicate', 'skip')).toMatchObject({ code: 2 });
});

function fileNamed(name: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'upload-')), name);
  writeFileSync(file, `%PDF-1.4 ${name}`);
  return file;
}

test('upload with the option --wait prints the data of the file, and get prints it on a terminal', async () => {
  const uploading = ct('documents', 'upload', fileNamed('commercial-invoice-waited.pdf'), '--wait', '1m');
  await expect.poll(async () => (await client.documents.list({ filter: { filename: 'waited' } })).data.length).toBe(1);
  sandbox.advance({ minutes: 1 });
  const uploaded = await uploading;
  expect(uploaded.err).toContain('is uploaded. Waiting for its data');
  const [{ id, last_document_representation }] = uploaded.json();
  const { invoice_number } = last_document_representation.payload;
  expect(invoice_number).toEqual(expect.any(String));
  terminal(80);
  expect((await ct('documents', 'get', id)).out).toMatch(
    new RegExp(`\\n\\nRead from the file:\\n(.+\\n)*invoice_number +${invoice_number}\\n`),
  );
});

test('upload with a wait that ends too early says how to look again, and has the exit code 7', async () => {
  const { code, last } = await ct('documents', 'upload', fileNamed('slow.pdf'), '--wait', '20ms');
  expect(code).toBe(7);
  expect(last).toContain('container-tracking documents get ');
  expect(await ct('documents', 'upload', fileNamed('later.pdf'), '--wait', 'soon')).toMatchObject({ code: 2 });
});

test('download into a folder gives the file the name of the document, without folders of that name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'download-'));
  const bytes = new TextEncoder().encode('%PDF-1.4 named');
  for (const filename of ['../../named.pdf', '..\\other.pdf']) {
    const { id } = await client.documents.upload({ file: bytes, filename, onDuplicate: 'return' });
    await ct('documents', 'download', id, '--to', folder);
    const { code, last } = await ct('documents', 'download', id, '--to', folder);
    expect({ code, last }).toEqual({
      code: 1,
      last: expect.stringMatching(/named\.pdf exists\. To replace it, use --force\.$/),
    });
  }
  expect(readdirSync(folder)).toEqual(['named.pdf']);
  expect(readFileSync(join(folder, 'named.pdf'), 'utf8')).toBe('%PDF-1.4 named');
});

test('download does not write the bytes to a terminal', async () => {
  terminal(80);
  expect(await ct('documents', 'download', crypto.randomUUID(), '--to', '-')).toMatchObject({ code: 2, out: '' });
});

test.each(['get', 'download'])('%s with less than six characters of an id says how many are needed', async command => {
  const { code, last } = await ct('documents', command, '140');
  expect(code).toBe(4);
  expect(last).toContain('140 is too short for an id. The first six characters');
});

test('map prints the ports on a terminal, GeoJSON in a pipe and with --json, and writes GeoJSON with --to', async () => {
  const [container] = (await client.containers.list({ pageSize: 1 })).data;
  const geojson = await client.containers.mapGeojson(container?.id ?? '');
  const { json } = await ct('containers', 'map', container?.number ?? '');
  expect(json()).toMatchObject([{ type: 'FeatureCollection', features: { length: geojson.features.length } }]);
  terminal(80);
  const { out, err } = await ct('containers', 'map', container?.number ?? '');
  expect(out).toMatch(/^PORT +ARRIVES +LEAVES +STATE\n/);
  for (const { properties } of geojson.features) {
    if (properties.feature_type === 'port') expect(out).toContain(`${properties.name}, ${properties.country_code}`);
  }
  expect(err).toContain('--to FILE');
  expect(err).toContain(`Legs inland are only in the route: container-tracking containers route ${container?.number}`);
  const file = join(mkdtempSync(join(tmpdir(), 'map-')), 'journey.geojson');
  expect((await ct('containers', 'map', container?.number ?? '', '--to', file)).err).toBe(`Written to ${file}.\n`);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ type: 'FeatureCollection' });
  expect((await ct('containers', 'map', container?.number ?? '', '--to', file)).last).toContain('use --force');
});
