import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import { smallerPng } from './smaller-png.ts';

const IMAGES = resolve(import.meta.dirname, '../docs/images');
/** The pictures are in the published package. */
const MAX_BYTES = 200_000;

/** Writes what the page shows to `docs/images/`. */
export async function writePicture(page: Page, name: string): Promise<void> {
  const image = smallerPng(await page.screenshot());
  if (image.length > MAX_BYTES) throw new Error(`${name} has ${image.length} bytes; at most ${MAX_BYTES} are allowed.`);
  mkdirSync(IMAGES, { recursive: true });
  writeFileSync(resolve(IMAGES, name), image);
  console.log(`${name}: ${image.length} bytes`);
}
