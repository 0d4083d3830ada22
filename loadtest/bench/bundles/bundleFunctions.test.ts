import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { HOT_BUNDLE_LIMIT_BYTES, withBundles } from './bundleFunctions.ts';

/** What functions are told where to read, and to send. */
const SETTINGS = {
  FLAGS_TABLE: 'Flags',
  CONNECTIONS_TABLE: 'Connections',
  CONNECTIONS_ENDPOINT: 'https://example.com',
  INSIGHT_STREAM: 'Insight',
  PUSH_QUEUE_URL: 'https://example.com/push',
  REVOCATION_QUEUE_URL: 'https://example.com/revocations',
};

test('every function bundles into a module that loads and exports a handler; connect and sync keep to their size', async () => {
  await withBundles((bundles) => {
    expect(bundles).toHaveLength(8);
    expect(bundles.filter(({ isHot }) => isHot)).toHaveLength(2);
    for (const { path, bytes, isHot } of bundles) {
      if (isHot) expect(bytes).toBeLessThanOrEqual(HOT_BUNDLE_LIMIT_BYTES);
      const script = `const { handler } = await import(${JSON.stringify(path)}); process.stdout.write(typeof handler)`;
      const env = { PATH: process.env['PATH'], AWS_REGION: 'us-east-1', ...SETTINGS };
      expect(execFileSync(process.execPath, ['--input-type=module', '-e', script], { env }).toString()).toBe(
        'function',
      );
    }
  });
}, 60_000);
