import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Fails if axe finds a fault that prevents some people from using the page. */
export async function checkWithAxe(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const { axe } = window as unknown as { axe: typeof import('axe-core') };
    const results = await axe.run(document, {
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.html).join(' ')}`);
  });
  expect(violations).toEqual([]);
}
