/**
 * Checks that a tag may be released: the version of the package must match the tag, and the changelog must have a dated
 * section for this version.
 *
 * node scripts/check-release.ts v0.1.0
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

const ROOT = resolve(import.meta.dirname, '..');
const [tag = ''] = process.argv.slice(2);
const { version } = JSON.parse(readFileSync(resolve(ROOT, 'package.json'), 'utf8')) as { version: string };
const changelog = readFileSync(resolve(ROOT, 'CHANGELOG.md'), 'utf8');

const complaints = [
  tag === `v${version}` ? '' : `The tag is ${tag || 'missing'}, and package.json has the version ${version}.`,
  new RegExp(`^## \\[${version.replaceAll('.', '\\.')}\\] - \\d{4}-\\d{2}-\\d{2}$`, 'm').test(changelog)
    ? ''
    : `CHANGELOG.md has no dated section for ${version}.`,
].filter(Boolean);
for (const complaint of complaints) console.error(complaint);
process.exitCode = complaints.length > 0 ? 1 : 0;
