import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { readConfig } from '../../../infra/config/config.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { readFlagUsage } from '../../../shared/store/usage/flagUsage.ts';
import type { Usage } from '../../../shared/store/usage/usage.ts';
import { until } from '../../../shared/testing/until.ts';
import { type EmulatedStack, startStack } from './emulated.ts';
import { simpleFlag, Workspace } from './workspace.ts';

jest.setTimeout(60_000);

const KEYS = Array.from({ length: 10 }, (_, n) => `flag-${n}`);

let stack: EmulatedStack;
beforeAll(async () => {
  const templates = synthesizedTemplates(readConfig({ usageWritesPerSecond: 20 }));
  // Each instance has its own counts in memory, and writes them with its next request.
  stack = await startStack(templates, { maxInstances: 1 });
});
afterAll(() => stack.close());

test('a flood of events is acknowledged, and counted with later requests', async () => {
  const documents = KEYS.map((key) => ({ kind: 'flag', document: simpleFlag(key) }) as const);
  const { envId, serverKey } = await Workspace.create(stack, documents);
  const headers = { authorization: serverKey, 'content-type': 'application/json' };
  let sent = 0;
  const track = async (keys: readonly string[]) => {
    const variations = keys.map((key) => ({ featureFlagKey: key, variation: { id: `${key}-true`, value: 'true' } }));
    sent += variations.length;
    const body = JSON.stringify([{ user: { keyId: 'u1' }, variations }]);
    const url = `${stack.httpUrl}/api/public/insight/track`;
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
  };
  const read = async () => {
    const found = await Promise.all(KEYS.map((key) => readFlagUsage(stack.usage as Usage, envId, key, 0)));
    return { counted: found.reduce((sum, { total }) => sum + total, 0), dropped: found[0]?.dropped ?? 0 };
  };
  for (let n = 0; n < 20; n += 1) await Promise.all(Array.from({ length: 5 }, () => track([...KEYS, ...KEYS])));
  await until(async () => {
    await track(KEYS.slice(0, 1));
    const { counted, dropped } = await read();
    // More than were sent where a write had no answer in time: it is counted as dropped, and the table may have it all the same.
    return counted + dropped >= sent;
  });
  expect((await read()).counted).toBeGreaterThan(sent / 2);
});
