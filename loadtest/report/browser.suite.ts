import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
  type Browser,
  LOOKS,
  launchChromium,
  type Page,
  takePicture,
  violationsOf,
} from '../../dev/support/tools/browser.ts';
import { campaignFacts, makeCampaignFiles } from '../testing/campaigns.ts';
import { aLoadProfile, aSlice } from '../testing/results.ts';
import { writeCampaigns } from './campaignReport.ts';

jest.setTimeout(120_000);

let browser: Browser;
let directory: string;
let address: string;
const requests: string[] = [];
const problems: string[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-browser-'));
  const usage = { cpu: 0.4, memory: 2e8 };
  const make = (day: number, target: string, isLate = false) =>
    makeCampaignFiles(
      join(directory, 'results', `${day}-${target}`),
      campaignFacts({ target, startedAt: `2026-11-${day}T03:00:00.000Z` }),
      [1_000, 1_100, 1_200].flatMap((rate) =>
        [1, 2, 3, 4, 5, 6].map((number) => ({
          facts: { rate, number, plan: aLoadProfile() },
          worker: aNoisyWorker(rate + 50 * day + number, isLate ? 200 : 1),
          usage: { ...usage, cpu: usage.cpu + number / 100 + (day > 20 ? 0.2 : 0) },
        })),
      ),
    );
  const campaigns = [make(15, 'host', true), make(21, 'host'), make(21, 'flags.example.com')];
  address = pathToFileURL(writeCampaigns(directory, campaigns).page).href;
  browser = await launchChromium();
});
afterAll(async () => {
  await browser?.close();
  rmSync(directory, { recursive: true });
});

/** A worker whose seconds differ as those of a busy machine do: ten of new connections, then pings for fifty. */
function aNoisyWorker(seed: number, lagMs = 1) {
  return Array.from({ length: 60 }, (_, n) => {
    const ms = (share: number) => Math.round(seed * (1 + 4 * Math.abs(Math.sin(n * seed))) * share);
    const sync: [number, number][] =
      n < 10
        ? [
            [2 * ms(1), 9],
            [ms(20), 1],
          ]
        : [];
    const counters = n < 10 ? { began: 10, 'syncs answered': 10 } : {};
    const times = {
      ...(n < 10 && { sync }),
      'send to reply': [
        [ms(0.2), 90],
        [ms(4), 10],
      ] as [number, number][],
    };
    return aSlice({ at: 100 + n, open: Math.min(100, 10 * (n + 1)), counters, times, lagMs });
  });
}

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

describe.each(LOOKS)('the report on %s', (_, width, scheme) => {
  test('draws each chart within the page, without accessibility problems', async () => {
    const page = await open(width, scheme);
    const titles = await page.$$eval('figure svg', (all) => all.map((each) => each.getAttribute('aria-label')));
    expect(titles.length).toBeGreaterThan(5);
    expect(titles[0]).toBe('Distribution: sync');
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    const beyond = await page.$$eval('figure svg', (all) =>
      all.filter((each) => each.getBBox().x + each.getBBox().width > each.viewBox.baseVal.width).map(String),
    );
    expect(beyond).toEqual([]);
    const hints = await page.$$eval('.hint', (all) => all.filter((each) => !each.hasAttribute('hidden')).length);
    const wider = await page.$$eval(
      '.scroll',
      (all) => all.filter((each) => each.scrollWidth > each.clientWidth).length,
    );
    expect(hints).toBe(wider);
    if (width < 600) expect(hints).toBeGreaterThan(0);
    expect(await violationsOf(page)).toEqual([]);
    await takePicture(page, `report-${width}-${scheme}`, { fullPage: true });
    await page.close();
  });
});

test('prints black on white, without navigation, and with whole tables', async () => {
  const page = await open(1_280, 'dark');
  await page.emulateMediaType('print');
  await page.setViewport({ width: 718, height: 1_000 });
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(255, 255, 255)');
  expect(await page.evaluate('getComputedStyle(document.querySelector("nav")).display')).toBe('none');
  const widths = await page.$$eval('table', (all) => all.map((each) => each.getBoundingClientRect().right));
  expect(Math.max(...widths)).toBeLessThanOrEqual(718);
  await takePicture(page, 'report-print', { fullPage: true });
  await page.close();
});

test('links each section from the top', async () => {
  const page = await open(390, 'light');
  const targets = await page.$$eval('nav a', (all) => all.map((each) => each.getAttribute('href') ?? ''));
  expect(targets.length).toBe(await page.$$eval('section', (all) => all.length));
  for (const target of targets) expect(await page.$(target)).not.toBeNull();
  await page.close();
});

test('requests nothing but the page, and causes no errors', () => {
  expect(new Set(requests)).toEqual(new Set([address]));
  expect(problems).toEqual([]);
});
