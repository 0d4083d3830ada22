import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, launch, type Page } from 'puppeteer-core';

export type { Browser, Page };

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Views of a page: name, width of the window in pixels, and preferred color scheme. */
export const LOOKS = [
  ['a desk', 1_280, 'light'],
  ['a desk in the dark', 1_280, 'dark'],
  ['a phone', 390, 'light'],
  ['a phone in the dark', 390, 'dark'],
] as const;

/** A name of this machine in Chromium only, which treats its pages as those of another machine. */
export const OTHER_NAME = 'other.test';

/** Starts the Chromium that `CHROMIUM` names, or Debian's. */
export function launchChromium(): Promise<Browser> {
  const args = ['--no-sandbox', `--host-resolver-rules=MAP ${OTHER_NAME} 127.0.0.1`];
  return launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args });
}

/** @returns what axe finds wrong with a page, with the first place of each */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
