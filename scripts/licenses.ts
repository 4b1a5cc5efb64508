import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The licence texts of the packages that the files belong to. These licences must be in every copy of the code.
 *
 * @throws {Error} if a package has no licence text.
 */
export function licensesOf(files: Iterable<string>): string {
  const packages = new Set(Array.from(files, file => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? file));
  const texts = [...packages].toSorted().map(directory => {
    const { name, version } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    const file = readdirSync(directory).find(file => /^licen[cs]e(\.|$)/i.test(file));
    if (!file) throw new Error(`${name} has no licence text.`);
    return `${name} ${version}\n\n${readFileSync(join(directory, file), 'utf8').trim()}\n`;
  });
  const line = `${'-'.repeat(80)}\n\n`;
  return `This package contains code of the packages below, under these licences.\n\n${[line, texts.join(`\n${line}`)].join('')}`;
}
