import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { bundleFunctions } from './bundleFunctions.ts';

/** The environment variables that functions read when they load. */
const ENVIRONMENT = {
  PATH: process.env['PATH'],
  AWS_REGION: 'us-east-1',
  AWS_ACCESS_KEY_ID: 'none',
  AWS_SECRET_ACCESS_KEY: 'none',
  FLAGS_TABLE: 'Flags',
  CONNECTIONS_TABLE: 'Connections',
  CONNECTIONS_ENDPOINT: 'https://example.com',
  INSIGHT_STREAM: 'Insight',
  PUSH_QUEUE_URL: 'https://example.com/push',
  UNDELIVERED_QUEUE_URL: 'https://example.com/undelivered',
  GROUPS_PER_ENVIRONMENT: '3',
  POSTS_PER_SECOND: '1000',
  REVOCATION_QUEUE_URL: 'https://example.com/revocations',
};

test('bundles each function into a module that loads and exports a handler', async () => {
  const bundles = bundleFunctions(synthesizedTemplates());
  expect(bundles.length).toBeGreaterThan(8);
  // One process loads all: each start of a process takes longer than a bundle.
  const paths = JSON.stringify(bundles.map(({ path }) => path));
  const script = `for (const path of ${paths}) { const { handler } = await import(path); console.log(typeof handler); }`;
  const env = Object.assign({ ...ENVIRONMENT }, ...bundles.map(({ environment }) => environment));
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], { env });
  expect(stdout).toBe('function\n'.repeat(bundles.length));
}, 60_000);
