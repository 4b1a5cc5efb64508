import { existsSync } from 'node:fs';
import { API_DETAILS, API_OPTIONS, withClient } from '../api.ts';
import { type Command, failed, textOption, wrongUsage } from '../command.ts';
import { printValue, say } from '../output/print.ts';
import { table } from '../output/table.ts';

export const upload: Command = {
  details: `      --name          the name of the document, that of the file unless given
      --content-type  its media type, from the ending of its name unless given
${API_DETAILS}`,
  options: { name: { type: 'string' }, 'content-type': { type: 'string' }, ...API_OPTIONS },
  arguments: ['FILE'],
  run: (values, [file = '']) =>
    withClient(values, async (client, signal) => {
      if (!existsSync(file)) throw wrongUsage(`There is no file ${file}.`);
      const tell = progress();
      const document = await client.documents.upload({
        file,
        name: textOption(values, 'name'),
        contentType: textOption(values, 'content-type'),
        signal,
        onProgress: ({ stage, loaded, total }) => tell(stage, loaded, total),
      });
      printValue(values, document, () =>
        table(
          [
            ['ID', ({ id }) => id],
            ['NAME', ({ name }) => name],
            ['TYPE', ({ document_type }) => document_type],
            ['CREATED', ({ created_at }) => created_at],
          ],
          [document],
        ),
      );
    }),
};

export const download: Command = {
  details: `      --to     the file to write; without it the bytes go to stdout, which must not be a terminal
      --force  replaces a file that exists
${API_DETAILS}`,
  options: { to: { type: 'string' }, force: { type: 'boolean', default: false }, ...API_OPTIONS },
  arguments: ['ID'],
  run: (values, [id = '']) =>
    withClient(values, async (client, signal) => {
      const to = textOption(values, 'to');
      if (to === undefined) {
        if (process.stdout.isTTY)
          throw wrongUsage('A terminal cannot show the bytes of a document. Name a file: --to.');
        for await (const chunk of await client.documents.download(id, { signal })) await written(chunk);
        return;
      }
      if (existsSync(to) && values.force !== true) throw failed(`${to} exists. To replace it, use --force.`);
      await client.documents.download(id, { to, signal });
      say(`Written to ${to}.`);
    }),
};

function written(chunk: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => process.stdout.write(chunk, error => (error ? reject(error) : resolve())));
}

/** One line a tenth of the way, and only where a person may be looking. */
function progress(): (stage: string, loaded: number, total: number) => void {
  let last = '';
  return (stage, loaded, total) => {
    const line = `${stage === 'hash' ? 'Reading' : 'Sending'}: ${total === 0 ? 100 : Math.floor((10 * loaded) / total) * 10} %`;
    if (line === last || !process.stderr.isTTY) return;
    last = line;
    say(line);
  };
}
