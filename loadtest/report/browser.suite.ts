import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Browser, launch, type Page } from 'puppeteer-core';
import { campaignFacts, makeCampaignFiles, workerWith } from '../testing/campaigns.ts';
import { aPlan } from '../testing/results.ts';
import { writeReport } from './write.ts';

jest.setTimeout(120_000);

let browser: Browser;
let directory: string;
let address: string;
const requests: string[] = [];
const problems: string[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-browser-'));
  const usage = { cpu: 0.4, memory: 2e8 };
  const campaigns = ['host', 'local'].map((target) =>
    makeCampaignFiles(
      join(directory, target),
      campaignFacts({ target }),
      [1_000, 1_100, 1_200].map((rate) => ({ facts: { rate, plan: aPlan() }, worker: workerWith(rate / 100), usage })),
    ),
  );
  address = pathToFileURL(writeReport(directory, campaigns).page).href;
  browser = await launch({ executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium', args: ['--no-sandbox'] });
});
afterAll(async () => {
  await browser?.close();
  rmSync(directory, { recursive: true });
});

async function open(width: number, scheme: 'light' | 'dark'): Promise<Page> {
  const page = await browser.newPage();
  page.on('request', (request) => requests.push(request.url()));
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }]);
  await page.setViewport({ width, height: 900 });
  await page.goto(address);
  return page;
}

describe.each([
  ['a desk', 1_280, 'light'],
  ['a phone in the dark', 390, 'dark'],
] as const)('on %s', (_, width, scheme) => {
  test('every chart is drawn, and nothing is wider than the page', async () => {
    const page = await open(width, scheme);
    const places = await page.$$eval('figure > div', (all) =>
      all.map((each) => each.querySelectorAll('canvas').length),
    );
    expect(places.length).toBeGreaterThan(5);
    expect(new Set(places)).toEqual(new Set([1]));
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const drawn = await page.$$eval('canvas', (all) =>
      all.map((canvas) => {
        const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
        return new Set(Array.from(data).filter((_value, n) => n % 4 === 0)).size;
      }),
    );
    for (const colours of drawn) expect(colours).toBeGreaterThan(2);
    await page.screenshot({
      path: join(process.env['SCREENSHOTS'] ?? directory, `report-${width}.png`),
      fullPage: true,
    });
    await page.close();
  });
});

test('no page asked for anything but itself, and none had an error', () => {
  expect(new Set(requests)).toEqual(new Set([address]));
  expect(problems).toEqual([]);
});
