import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { sandboxPageFiles } from '../support/sandbox-page.ts';
import { generatedFiles } from '../support/service/generate.ts';

write({ ...generatedFiles(), ...sandboxPageFiles() });
// The files of sync are made from the files that the code above writes, so this import comes after that code.
const { syncFiles } = await import('../support/service/generate-sync.ts');
write(syncFiles());

function write(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) writeFileSync(resolve(import.meta.dirname, '..', path), text);
}
