import { execFileSync } from 'node:child_process';
import { expect, test } from '@jest/globals';
import { bundleEnvironment, HOT_BUNDLE_LIMIT_BYTES, withBundles } from './bundleFunctions.ts';

test('every function bundles into a module that loads and exports a handler; connect and sync keep to their size', async () => {
  await withBundles((bundles) => {
    expect(bundles).toHaveLength(9);
    expect(bundles.filter(({ isHot }) => isHot)).toHaveLength(2);
    for (const { path, bytes, isHot } of bundles) {
      if (isHot) expect(bytes).toBeLessThanOrEqual(HOT_BUNDLE_LIMIT_BYTES);
      const script = `const { handler } = await import(${JSON.stringify(path)}); process.stdout.write(typeof handler)`;
      expect(
        execFileSync(process.execPath, ['--input-type=module', '-e', script], { env: bundleEnvironment() }).toString(),
      ).toBe('function');
    }
  });
}, 60_000);
