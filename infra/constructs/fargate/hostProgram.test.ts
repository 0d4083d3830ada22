import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { freePort } from '../../../dev/support/freePort.ts';
import { until } from '../../../shared/testing/until.ts';
import { bundleHost } from '../../bundles.ts';
import { programOf } from '../../hostRuntime.ts';
import { fetchCommands, type ProgramFile } from './hostProgram.ts';

jest.setTimeout(120_000);

let directory: string;
let bucket: string;
let files: ProgramFile[];

/** In the place of the AWS CLI: it copies from a folder, and leaves out what is not there. */
const AWS = '#!/bin/sh\n[ "$1 $2 $3" = "s3 cp --only-show-errors" ] && cp "$BUCKET/$4" "$5"\n';

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-program-'));
  bucket = join(directory, 'bucket');
  for (const name of ['bucket', 'bin']) mkdirSync(join(directory, name));
  writeFileSync(join(directory, 'bin/aws'), AWS);
  chmodSync(join(directory, 'bin/aws'), 0o755);
  // In the place of Bun, which is 100 MB: a script that runs it.
  writeFileSync(join(bucket, 'one'), `#!/bin/sh\nexec ${programOf('bun')} "$@"\n`);
  bundleHost(join(bucket, 'two'));
  files = [
    ['bun', 'one'],
    ['host.js', 'two'],
  ].map(([name = '', key = '']) => ({ name, url: key, sha256: digestOf(join(bucket, key)) }));
});
afterAll(() => rmSync(directory, { recursive: true }));

function digestOf(path: string): string {
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}

/** Does in a folder what the first container does in its volume. */
function fetchInto(name: string, wanted: readonly ProgramFile[] = files) {
  const volume = join(directory, name);
  mkdirSync(volume);
  const env = { PATH: [join(directory, 'bin'), process.env['PATH']].join(delimiter), BUCKET: bucket };
  const { status, stderr } = spawnSync('sh', ['-c', fetchCommands(wanted, volume)], { env, encoding: 'utf8' });
  return { volume, status, stderr };
}

describe('fetching the program', () => {
  test('leaves what everybody may run and nobody may write', () => {
    const { volume, status } = fetchInto('whole');
    expect(status).toBe(0);
    expect(readdirSync(volume).sort()).toEqual(['bun', 'host.js']);
    for (const name of readdirSync(volume)) expect(statSync(join(volume, name)).mode & 0o777).toBe(0o555);
  });

  test.each([0, 1])('leaves nothing to run where a file is not what it should be (%i)', (changed) => {
    const other = files.map((file, index) => (index === changed ? { ...file, sha256: '0'.repeat(64) } : file));
    const { volume, status, stderr } = fetchInto(`changed-${changed}`, other);
    expect(status).not.toBe(0);
    expect(stderr).toContain('1 computed checksum did NOT match');
    expect(readdirSync(volume)).toEqual([]);
  });

  test('fails where a file is not there', () => {
    const missing = files.map((file) => (file.name === 'host.js' ? { ...file, url: 'three' } : file));
    expect(fetchInto('missing', missing).status).not.toBe(0);
  });
});

test('the host starts from it with a task’s credentials, and ends by a signal', async () => {
  const { volume } = fetchInto('running');
  const table = createServer((request, response) => {
    seen.push(String(request.headers.authorization));
    response.end(JSON.stringify({ Count: 0, Items: [] }));
  }).listen(0, '127.0.0.1');
  const seen: string[] = [];
  const credentials = createServer((_, response) => {
    const keys = { AccessKeyId: 'KEYOFTHETASK', SecretAccessKey: 's', Token: 't', Expiration: '2100-01-01T00:00:00Z' };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(keys));
  }).listen(0, '127.0.0.1');
  await Promise.all([table, credentials].map((server) => server.listening || once(server, 'listening')));
  const urlOf = (server: typeof table) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const port = await freePort();
  const child = spawn(join(volume, 'bun'), [join(volume, 'host.js')], {
    cwd: '/',
    env: {
      FLAGS_TABLE: 'Flags',
      AWS_REGION: 'eu-west-1',
      PORT: String(port),
      INSIGHT_STREAM: 'Insights',
      NODE_ENV: 'production',
      AWS_ENDPOINT_URL_DYNAMODB: urlOf(table),
      AWS_CONTAINER_CREDENTIALS_FULL_URI: `${urlOf(credentials)}/v2/credentials`,
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  try {
    const readiness = () =>
      fetch(`http://127.0.0.1:${port}/health/readiness`).then(
        ({ status }) => status,
        () => 0,
      );
    await until(async () => (await readiness()) === 200);
    expect(seen[0]).toContain('Credential=KEYOFTHETASK/');
  } finally {
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    for (const server of [table, credentials]) server.close();
    expect(code).toBe(0);
  }
});
