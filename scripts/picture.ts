import { mkdirSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

const IMAGES = resolve(import.meta.dirname, '../docs/images');
/** Upper bound for the size of a picture, because the pictures are in the published package. */
const MAX_BYTES = 200_000;

/** Writes a picture of the page to `docs/images/`. A palette of colours reduces the picture to a third of its bytes. */
export async function writePicture(page: Page, name: string): Promise<void> {
  const screenshot = await page.screenshot();
  const image = await sharp(screenshot).png({ quality: 90, dither: 0, effort: 10, compressionLevel: 9 }).toBuffer();
  if (image.length > MAX_BYTES) throw new Error(`${name} has ${image.length} bytes; at most ${MAX_BYTES} are allowed.`);
  mkdirSync(IMAGES, { recursive: true });
  writeFileSync(resolve(IMAGES, name), image);
  console.log(`${name}: ${image.length} bytes, of ${screenshot.length}`);
}
