import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
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

/** Starts a host that cannot start. @param main by which file */
function start(program: string, settings: Readonly<Record<string, string>>, main = 'main') {
  const credentials = { AWS_REGION: 'us-east-1', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };
  const where = { FLAGS_TABLE: 'none', HOST: '127.0.0.1', PORT: '0', AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' };
  const { stdout, stderr, status } = spawnSync(program, [join(repositoryRoot, `functions/host/${main}.ts`)], {
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
  ['bun', 'an address of another machine', () => ({ HOST: '192.0.2.1' }), /192.0.2.1, port 0 cannot be opened/],
  ['node', 'an address of another machine', () => ({ HOST: '192.0.2.1' }), /192.0.2.1, port 0 cannot be opened/],
  [
    'bun',
    'no table',
    () => ({ FLAGS_TABLE: '' }),
    /npm start is not running with the data folder \/.*\/.flagwire. Run it, name its folder with --data <directory>, or set FLAGS_TABLE/,
  ],
])('on %s, %s ends the start with one line', (runtime, _, settings, message) => {
  const { stdout, stderr, status } = start(programOf(runtime), settings());
  expect(stderr).toMatch(/^host: .+\n$/);
  expect(stderr).toMatch(message);
  expect({ stdout, status }).toEqual({ stdout: '', status: 1 });
});

describe('npm run host', () => {
  test.each<[Runtime, Record<string, string>]>([
    ['bun', {}],
    ['node', { HOST_RUNTIME: 'node' }],
  ])('runs on %s with %j, and says that there is no certificate', (runtime, settings) => {
    // Node writes a file there when it ends or becomes another program, and Bun none.
    const coverage = join(cwd, `coverage-${runtime}`);
    const certificate = { TLS_CERT: 'c', TLS_KEY: 'k', NODE_V8_COVERAGE: coverage };
    const { stdout, stderr, status } = start(process.execPath, { ...settings, ...certificate }, 'launch');
    expect(stderr).toMatch(/^host: TLS_CERT=c cannot be read: ENOENT.*\n$/);
    expect({ stdout, status }).toEqual({ stdout: '', status: 1 });
    expect(readdirSync(coverage)).toHaveLength(runtime === 'node' ? 2 : 1);
  });

  test('refuses another runtime', () => {
    const { stdout, stderr, status } = start(process.execPath, { HOST_RUNTIME: 'deno' }, 'launch');
    expect(stderr).toBe('host: HOST_RUNTIME=deno is invalid: set bun or node; the default is bun\n');
    expect({ stdout, status }).toEqual({ stdout: '', status: 1 });
  });
});
