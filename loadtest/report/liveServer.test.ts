import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '../../shared/testing/until.ts';
import type { Document } from './document.ts';
import { type LiveReport, serveLive } from './liveServer.ts';

let live: LiveReport;
let title: string;
let made: number;
beforeEach(async () => {
  title = 'Nothing yet';
  made = 0;
  live = await serveLive(() => {
    made++;
    if (title === 'broken') throw new Error('a file is gone');
    return reportCalled(title);
  }, 200);
});
afterEach(() => live.end(undefined, 'the test is over'));

function reportCalled(title: string): Document {
  return { title, facts: [], sections: [] };
}

/** Asks for a path, by the name and as the page that headers say. */
async function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<IncomingMessage> {
  const asked = request(new URL(path, live.url), { headers, method, agent: false });
  asked.end();
  const [response] = await once(asked, 'response');
  return response;
}

async function textOf(response: IncomingMessage): Promise<string> {
  return (await response.toArray()).join('');
}

/** What a poll of a page returns. */
async function poll(): Promise<{ text: string; over?: string }> {
  const text = await textOf(await ask('/state'));
  return { text, over: JSON.parse(text).over };
}

test('listens on the loopback only, and serves a page with the current report', async () => {
  expect(live.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  title = 'One <run>';
  const response = await ask('/');
  expect(response.headers['content-security-policy']).toContain("default-src 'none'");
  expect(response.headers['cross-origin-resource-policy']).toBe('same-origin');
  expect(await textOf(response)).toContain('"title":"One \\u003crun>"');
});

test('a page that polls gets each newer report, then the last one and the reason', async () => {
  await poll();
  title = 'One run';
  await until(async () => (await poll()).text.includes('One run'));
  title = 'Two runs';
  await until(async () => (await poll()).text.includes('Two runs'));
  const ended = live.end(reportCalled('All runs'), 'it is kept in a folder');
  const last = await poll();
  expect([last.text.includes('All runs'), last.over]).toEqual([true, 'it is kept in a folder']);
  await ended;
  await expect(poll()).rejects.toThrow('ECONNREFUSED');
});

test('makes no report while no page is open', async () => {
  for (let n = 0; n < 5; n++) await textOf(await ask('/favicon.ico'));
  expect(made).toBe(0);
});

test('shows an error if a report cannot be made, and recovers', async () => {
  title = 'broken';
  expect(await textOf(await ask('/'))).toContain('cannot be made just now: a file is gone');
  title = 'mended';
  await until(async () => (await textOf(await ask('/'))).includes('"title":"mended"'));
});

describe('access to the report', () => {
  test.each<[string, string, Record<string, string>, string, number]>([
    ['to a foreign name that resolves to this machine', '/', { host: 'rebind.example' }, 'GET', 403],
    ['to such a name, for the state', '/state', { host: 'rebind.example:80' }, 'GET', 403],
    ['from a page of another site', '/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, 'GET', 403],
    ['from a page of another port', '/state', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, 'GET', 403],
    ['that writes', '/', {}, 'POST', 405],
    ['for another path', '/runs/1000-1', {}, 'GET', 404],
  ])('refuses a request %s', async (_, path, headers, method, status) => {
    const response = await ask(path, headers, method);
    expect([response.statusCode, response.headers['access-control-allow-origin']]).toEqual([status, undefined]);
    expect(await textOf(response)).not.toContain('Nothing yet');
  });

  test('follows links from other sites, and accepts other names of this machine', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    for (const headers of [link, { host: 'localhost' }, { host: '[::1]:80' }])
      expect((await ask('/', headers)).statusCode).toBe(200);
  });

  test('many pages share a report', async () => {
    await Promise.all(Array.from({ length: 16 }, poll));
    expect(made).toBeLessThan(16);
  });
});
