import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { sandboxPageFiles } from '../support/sandbox-page.ts';
import { generatedFiles } from '../support/service/generate.ts';

for (const [path, text] of Object.entries({ ...generatedFiles(), ...sandboxPageFiles() })) {
  writeFileSync(resolve(import.meta.dirname, '..', path), text);
}
