import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { bundleEnvironment, withBundles } from './bundleFunctions.ts';

test('every function bundles into a module that loads and exports a handler', async () => {
  await withBundles(synthesizedTemplates(), async (bundles) => {
    expect(bundles.length).toBeGreaterThan(8);
    // One process loads all: each start of a process takes longer than a bundle.
    const paths = JSON.stringify(bundles.map(({ path }) => path));
    const script = `for (const path of ${paths}) { const { handler } = await import(path); console.log(typeof handler); }`;
    const args = ['--input-type=module', '-e', script];
    const env = Object.assign(bundleEnvironment(), ...bundles.map(({ environment }) => environment));
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(stdout).toBe('function\n'.repeat(bundles.length));
  });
}, 60_000);
