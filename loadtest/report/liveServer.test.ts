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
  }, 5);
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

/** Everything that a page has been sent. */
async function follow() {
  const response = await ask('/events');
  const followed = { text: '', isOver: false };
  response.on('data', (part) => {
    followed.text += part;
  });
  response.on('end', () => {
    followed.isOver = true;
  });
  return followed;
}

test('it listens on the loopback alone, and the page has the report as it is now', async () => {
  expect(live.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  title = 'One <run>';
  const response = await ask('/');
  expect(response.headers['content-security-policy']).toContain("default-src 'none'");
  expect(response.headers['cross-origin-resource-policy']).toBe('same-origin');
  expect(await textOf(response)).toContain('"title":"One \\u003crun>"');
});

test('a page that follows gets every newer report, then the last and why it is that', async () => {
  const followed = await follow();
  title = 'One run';
  await until(() => followed.text.includes('One run'));
  title = 'Two runs';
  await until(() => followed.text.includes('Two runs'));
  await live.end(reportCalled('All runs'), 'it is kept in a folder');
  await until(() => followed.isOver);
  expect(followed.text).toMatch(/All runs[^\n]*\n\nevent: over\ndata: "it is kept in a folder"\n\n$/);
});

test('a page that is behind gets the last report all the same', async () => {
  title = 'long'.repeat(3_000_000);
  const response = await ask('/events');
  await until(() => made > 0);
  title = 'short';
  const ended = live.end(reportCalled('All runs'), 'it is kept in a folder');
  expect(await textOf(response)).toMatch(/All runs[^\n]*\n\nevent: over\n/);
  await ended;
});

test('nothing is made while nobody looks', async () => {
  for (let n = 0; n < 5; n++) await textOf(await ask('/favicon.ico'));
  expect(made).toBe(0);
});

test('a report that cannot be made is told of, and ends nothing', async () => {
  title = 'broken';
  expect(await textOf(await ask('/'))).toContain('cannot be made just now: a file is gone');
  title = 'mended';
  expect(await textOf(await ask('/'))).toContain('"title":"mended"');
});

describe('nobody else reads it', () => {
  test.each<[string, string, Record<string, string>, string, number]>([
    ['by a name that somebody has resolve to this machine', '/', { host: 'rebind.example' }, 'GET', 403],
    ['by such a name, as it grows', '/events', { host: 'rebind.example:80' }, 'GET', 403],
    ['as a page of another site', '/', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, 'GET', 403],
    ['as a page of another port', '/events', { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors' }, 'GET', 403],
    ['to write', '/', {}, 'POST', 405],
    ['for something else', '/runs/1000-1', {}, 'GET', 404],
  ])('%s', async (_, path, headers, method, status) => {
    const response = await ask(path, headers, method);
    expect([response.statusCode, response.headers['access-control-allow-origin']]).toEqual([status, undefined]);
    expect(await textOf(response)).not.toContain('Nothing yet');
  });

  test('but a link from elsewhere leads to it, and this machine’s other names', async () => {
    const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    for (const headers of [link, { host: 'localhost' }, { host: '[::1]:80' }])
      expect((await ask('/', headers)).statusCode).toBe(200);
  });

  test('and no more pages than it can serve', async () => {
    const followed = await Promise.all(Array.from({ length: 16 }, follow));
    expect((await ask('/events')).statusCode).toBe(503);
    expect(followed.some(({ isOver }) => isOver)).toBe(false);
  });
});
