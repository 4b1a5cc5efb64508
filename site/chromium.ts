import { existsSync } from 'node:fs';
import { join } from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { findProgram } from '../support/needs.ts';
import { linkTo } from './links.ts';

const program = findProgram('chromium');

export const hasChromium: boolean = program !== undefined;

export function launch(): Promise<Browser> {
  return chromium.launch({
    ...(program && { executablePath: which(program) }),
    args: ['--no-sandbox', '--disable-gpu', '--no-first-run'],
  });
}

/** Opens a page, and waits until its script has taken control of the document that the server has sent. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}));
}

/** The faults of accessibility that prevent some people from using the page. */
export async function seriousFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { violations } = await (window as unknown as { axe: typeof axe }).axe.run();
    return violations.map(({ id, impact, nodes }) => ({ id, impact, where: nodes.map(node => node.html).slice(0, 2) }));
  });
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, where }) => `${id}: ${where.join(' ')}`);
}

/** The path of a page of `docs/` on a static server. */
export function addressOf(path: string): string {
  return linkTo(path).replace(/([^/])$/, '$1.html');
}

/** The path of a program. Playwright needs the path instead of the name. */
function which(program: string): string {
  const folders = process.env.PATH?.split(':') ?? [];
  return folders.map(folder => join(folder, program)).find(existsSync) ?? program;
}
