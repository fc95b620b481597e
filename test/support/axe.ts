import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from './chromium.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Returns the accessibility rules that the page violates in its current size and theme, each with its elements. */
export async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(`${source}; undefined`);
  const { violations } = await page.evaluate<Pick<AxeResults, 'violations'>>(
    'axe.run({ resultTypes: ["violations"] })',
  );
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}
