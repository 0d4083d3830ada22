import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { programOf, type Runtime } from '../../../infra/hostRuntime.ts';
import { repositoryRoot } from '../../../infra/repository.ts';

let cwd: string;
const taken = createServer();
beforeAll(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'flagwire-start-'));
  await once(taken.listen(0, '127.0.0.1'), 'listening');
});
afterAll(() => {
  rmSync(cwd, { recursive: true });
  taken.close();
});

const portTaken = () => String((taken.address() as AddressInfo).port);

/** Starts a host that cannot start. */
function start(runtime: Runtime, settings: Readonly<Record<string, string>>) {
  const credentials = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  const where = { FLAGS_TABLE: 'none', HOST: '127.0.0.1', PORT: '0', AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' };
  const { stdout, stderr, status } = spawnSync(programOf(runtime), [join(repositoryRoot, 'functions/host/main.ts')], {
    cwd,
    env: { ...credentials, ...where, ...settings },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { stdout, stderr, status };
}

test.each<[Runtime, string, () => Record<string, string>, RegExp]>([
  ['bun', 'a port that is taken', () => ({ PORT: portTaken() }), /127.0.0.1, port \d+ is in use: set PORT to another/],
  ['node', 'a port that is taken', () => ({ PORT: portTaken() }), /127.0.0.1, port \d+ is in use: set PORT to another/],
  ['bun', 'a taken port of its metrics', () => ({ METRICS_PORT: portTaken() }), /port \d+ is in use: set METRICS_PORT/],
  [
    'node',
    'a taken port of its metrics',
    () => ({ METRICS_PORT: portTaken() }),
    /port \d+ is in use: set METRICS_PORT/,
  ],
  ['bun', 'an address of another machine', () => ({ HOST: '192.0.2.1' }), /192.0.2.1, port 0 cannot be listened on/],
  ['node', 'an address of another machine', () => ({ HOST: '192.0.2.1' }), /192.0.2.1, port 0 cannot be listened on/],
  [
    'bun',
    'no table',
    () => ({ FLAGS_TABLE: '' }),
    /no npm start runs with the data folder \/.*\/.flagwire. Start one, name its folder with --data <directory>, or set FLAGS_TABLE/,
  ],
  ['bun', 'no certificate', () => ({ TLS_CERT: 'c', TLS_KEY: 'k' }), /TLS_CERT=c cannot be read: ENOENT/],
  ['node', 'no certificate', () => ({ TLS_CERT: 'c', TLS_KEY: 'k' }), /TLS_CERT=c cannot be read: ENOENT/],
])('on %s, %s ends the start with one line', (runtime, _, settings, message) => {
  const { stdout, stderr, status } = start(runtime, settings());
  expect(stderr).toMatch(/^host: .+\n$/);
  expect(stderr).toMatch(message);
  expect({ stdout, status }).toEqual({ stdout: '', status: 1 });
});
