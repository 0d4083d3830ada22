import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readMeasured } from '../../../cost/assumptions/measured.ts';
import { rangesFrom } from '../../../cost/assumptions/ranges.ts';
import { PRESETS } from '../../../cost/model/workload/presets.ts';
import { parseWorkload } from '../../../cost/model/workload/workload.ts';
import { renderCostPage } from '../../../cost/page/renderPage.ts';
import { launchChromium, type Page } from '../../../dev/support/tools/browser.ts';

/** Data of the page. */
export const ranges = rangesFrom(readMeasured());
export const business = parseWorkload(PRESETS['small-business'].workload);

/** Screen, language and fragment of a page. */
interface Opening {
  readonly width?: number;
  readonly height?: number;
  readonly scheme?: string;
  readonly fragment?: string;
  readonly language?: string;
}

/** The cost page as a file, opened in a browser. */
export interface CostPage {
  readonly address: string;
  readonly directory: string;
  /** Requested addresses and errors of the pages. */
  readonly requests: readonly string[];
  readonly problems: readonly string[];
  readonly open: (how?: Opening) => Promise<Page>;
  readonly close: () => Promise<void>;
}

/** Writes the page and starts Chromium (CHROMIUM, or Debian's). */
export async function openCostPage(): Promise<CostPage> {
  const directory = mkdtempSync(join(tmpdir(), 'flagwire-cost-page-'));
  const path = join(directory, 'cost.html');
  writeFileSync(path, renderCostPage({ ranges, workload: business }));
  const address = pathToFileURL(path).href;
  const browser = await launchChromium();
  const requests: string[] = [];
  const problems: string[] = [];
  return {
    address,
    directory,
    requests,
    problems,
    open: async ({ width = 1_280, height = 900, scheme = 'light', fragment = '', language } = {}) => {
      const page = await browser.newPage();
      if (language !== undefined)
        await page.evaluateOnNewDocument(
          `Object.defineProperty(navigator, 'language', { value: ${JSON.stringify(language)} })`,
        );
      page.on('request', (request) => requests.push(request.url().split('#')[0] ?? ''));
      page.on('pageerror', (error) => problems.push(String(error)));
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
      await page.setViewport({ width, height });
      await page.goto(address + fragment);
      return page;
    },
    close: async () => {
      await browser.close();
      rmSync(directory, { recursive: true });
    },
  };
}

/** Text of the first element that matches a selector. */
export const textOf = (page: Page, selector: string) => page.$eval(selector, (found) => found.textContent ?? '');
