/**
 * Writes the pictures of the board in `docs/images/`, light and dark. Needs Chromium and the packages of the board, which
 * `npm run board:check` installs.
 *
 * node scripts/board-images.ts
 */
import { execFileSync } from 'node:child_process';
import { chromium } from 'playwright-core';
import { serveBoard } from '../support/board.ts';
import { writePicture } from './picture.ts';

const board = await serveBoard();
const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
try {
  for (const [colorScheme, name] of [
    ['light', 'board.png'],
    ['dark', 'board-dark.png'],
  ] as const) {
    const viewport = { width: 1440, height: 1060 };
    const page = await browser.newPage({ viewport, colorScheme, reducedMotion: 'reduce' });
    await page.goto(board.url);
    await page.locator('.timeline li').first().waitFor();
    await page.getByRole('button', { name: '+1 day' }).click();
    const file = { name: 'commercial invoice 4410.pdf', mimeType: 'application/pdf', buffer: Buffer.alloc(400_000, 7) };
    await page.getByLabel('Drop a file').setInputFiles(file);
    await page.getByText(/fields read/).waitFor();
    await page.locator('#notifications li').nth(9).waitFor();
    await page.locator('#shipments a', { hasText: 'Rotterdam' }).click();
    await page.locator('.map .vessel').waitFor();
    await page.locator('h1').click();
    await writePicture(page, name);
  }
} finally {
  await browser.close();
  await board.close();
}
