import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { type Browser, type ElementHandle, launch, type Page, type ScreenshotOptions } from 'puppeteer-core';

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

/** Writes a picture, with its name, into the folder that `SCREENSHOTS` names. Without it, tests need no pictures. */
export async function takePicture(
  shown: Page | ElementHandle | null,
  name: string,
  options: ScreenshotOptions = {},
): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await shown?.screenshot({ ...options, path: join(folder, `${name}.png`) });
}

/** @returns what axe finds wrong with a page, with the first place of each */
export async function violationsOf(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run()')) as {
    violations: { id: string; nodes: { html: string }[] }[];
  };
  return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
}
