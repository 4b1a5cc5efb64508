import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { generatedFiles } from '../support/service/generate.ts';

for (const [path, text] of Object.entries(generatedFiles())) {
  writeFileSync(resolve(import.meta.dirname, '..', path), text);
}
