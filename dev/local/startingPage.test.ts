import { createHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { answerStarting } from './startingPage.ts';
import { useOwnServer } from './testing/ownServer.ts';

const url = useOwnServer(answerStarting);

test.each(['/console/', '/console', '/try'])('%s is a page that waits', async (path) => {
  const response = await fetch(url() + path);
  expect([response.status, response.headers.get('retry-after')]).toEqual([503, '1']);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const [, script = ''] = /<script>(.*)<\/script>/s.exec(await response.text()) ?? [];
  const hash = createHash('sha256').update(script).digest('base64');
  expect(response.headers.get('content-security-policy')).toContain(`script-src 'sha256-${hash}'; `);
});

test('an open page of the console is answered as by the console', async () => {
  const response = await fetch(`${url()}/console/api/context`);
  expect([response.status, await response.json()]).toEqual([
    503,
    { error: { code: 'table-unavailable', message: 'Flagwire is starting. Try again in a moment.' } },
  ]);
});

test('SDKs are left alone', async () => {
  expect((await fetch(`${url()}/api/public/insight/track`)).status).toBe(204);
});
