import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { InstanceType } from 'aws-cdk-lib/aws-ec2';
import { freePort } from '../../../dev/support/freePort.ts';
import { programOf } from '../../hostRuntime.ts';
import { BUN_VERSION, bunBuildFor } from './bunBinary.ts';
import { type HostArchive, packHost } from './hostArchive.ts';

jest.setTimeout(120_000);

/** What an instance has and this machine may not: each is played by a script that notes how it was called. */
const STAND_INS = ['dnf', 'useradd', 'getent', 'sysctl', 'systemctl', 'curl'];

let directory: string;
let archive: HostArchive;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-install-'));
  // In the place of Bun, whose 100 MB would be packed and unpacked: a script that runs it.
  const bun = join(directory, 'bun');
  writeFileSync(bun, `#!/bin/sh\nexec ${programOf('bun')} "$@"\n`);
  archive = packHost(bun, join(directory, 'packed'));
  mkdirSync(join(directory, 'bin'));
  for (const name of STAND_INS) {
    const script = `#!/bin/bash\necho "${name} $*" >> "$CALLS"\n${name === 'getent' ? 'exit 2\n' : ''}`;
    writeFileSync(join(directory, 'bin', name), script);
    chmodSync(join(directory, 'bin', name), 0o755);
  }
});
afterAll(() => rmSync(directory, { recursive: true }));

/** Runs on a fresh machine what user data does once it has the archive. */
function install(name: string, path = archive.path) {
  const root = join(directory, name);
  const agent = join(root, 'opt/aws/amazon-cloudwatch-agent/bin/amazon-cloudwatch-agent-ctl');
  mkdirSync(dirname(agent), { recursive: true });
  writeFileSync(agent, '#!/bin/bash\necho "agent $*" >> "$CALLS"\n');
  chmodSync(agent, 0o755);
  const calls = join(root, 'calls');
  const script = [
    'set -euo pipefail',
    `mkdir ${root}/unpacked && cd ${root}/unpacked`,
    `cp ${path} host.tar.gz`,
    `echo "${archive.sha256}  host.tar.gz" | sha256sum --check`,
    'tar -xzf host.tar.gz --no-same-owner && rm host.tar.gz',
    './install.sh --table Flags --region eu-west-1 --port 5100 --missing-attribute no-match --metrics-seconds 1 --log-group some-group',
  ].join('\n');
  const env = {
    ...process.env,
    ROOT: root,
    CALLS: calls,
    PATH: [join(directory, 'bin'), process.env['PATH']].join(delimiter),
  };
  const { status, stdout, stderr } = spawnSync('bash', ['-c', script], { env, encoding: 'utf8' });
  return { root, status, output: stdout + stderr, calls: () => readFileSync(calls, 'utf8').trim().split('\n') };
}

describe('the install script', () => {
  test('puts everything in its place, starts the service, and waits until it is ready', () => {
    const { root, status, output, calls } = install('machine');
    expect([status, output.trim().split('\n').at(-1)]).toEqual([0, 'ready']);
    expect(calls().map((call) => call.split(' ').slice(0, 3).join(' '))).toEqual([
      'getent passwd flagwire',
      'useradd --system --user-group',
      'sysctl --quiet --load',
      'dnf install --assumeyes',
      'agent -a fetch-config',
      'systemctl enable --now',
      'systemctl daemon-reload',
      'systemctl enable --quiet',
      'systemctl restart flagwire-host',
      'curl --silent --fail',
    ]);
    expect(readFileSync(join(root, 'etc/flagwire/host.env'), 'utf8')).toContain(
      'FLAGS_TABLE=Flags\nAWS_REGION=eu-west-1\nPORT=5100\nMISSING_ATTRIBUTE=no-match\n',
    );
    expect(statSync(join(root, 'opt/flagwire/bun')).mode & 0o777).toBe(0o755);
    const agent = JSON.parse(readFileSync(join(root, 'opt/aws/amazon-cloudwatch-agent/etc/flagwire.json'), 'utf8'));
    expect(agent.agent.metrics_collection_interval).toBe(1);
    expect(agent.logs.logs_collected.files.collect_list[0].log_group_name).toBe('some-group');
  });

  test('is not reached with an archive that was changed, of which nothing is unpacked', () => {
    const changed = join(directory, 'changed.tar.gz');
    writeFileSync(changed, readFileSync(archive.path));
    appendFileSync(changed, 'x');
    const { root, status, output } = install('victim', changed);
    expect(status).not.toBe(0);
    expect(output).toContain('host.tar.gz: FAILED');
    expect(execFileSync('ls', [join(root, 'unpacked')], { encoding: 'utf8' })).toBe('host.tar.gz\n');
  });

  test('refuses to begin without what it needs', () => {
    const { root } = install('again');
    const run = (...args: string[]) =>
      spawnSync('bash', [join(root, 'unpacked/install.sh'), ...args], { encoding: 'utf8' });
    expect(run('--table', 'Flags').stderr).toContain('needs --table, --region, --port');
    expect(run('--tabel', 'Flags').stderr).toContain('there is no option --tabel');
    expect(run('--table').stderr).toContain('--table needs a value');
  });
});

test('the same sources make the same archive', () => {
  const bun = join(directory, 'bun');
  const [first, second] = ['first', 'second'].map((folder) => packHost(bun, join(directory, folder)));
  expect(first?.sha256).toBe(second?.sha256);
});

describe('what is installed', () => {
  test('is the Bun that tests run the host on, built for the machine’s processor', () => {
    expect(execFileSync(programOf('bun'), ['--version'], { encoding: 'utf8' }).trim()).toBe(BUN_VERSION);
    const builds = ['t2.micro', 'c7g.large', 'm3.medium'].map((type) => bunBuildFor(new InstanceType(type)));
    expect(builds).toEqual(['linux-x64', 'linux-aarch64', 'linux-x64-baseline']);
  });

  test('runs as the unit says, and tells what it lacks', async () => {
    const { root } = install('running');
    const unit = readFileSync(join(root, 'etc/systemd/system/flagwire-host.service'), 'utf8');
    const [, command = ''] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
    const [program = '', ...args] = command.split(' ').map((word) => (word.startsWith('/opt/') ? root + word : word));
    const port = await freePort();
    const state = join(root, 'state');
    mkdirSync(state);
    const env = {
      FLAGS_TABLE: 'Flags',
      AWS_REGION: 'eu-west-1',
      PORT: String(port),
      STATE_DIR: state,
      INSIGHT_FILE: join(state, 'i'),
    };
    // Nobody answers there: a host whose table is away lives, and is not ready.
    const credentials = {
      AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9',
      AWS_ACCESS_KEY_ID: 'a',
      AWS_SECRET_ACCESS_KEY: 'b',
    };
    const child = spawn(program, args, {
      env: { ...env, ...credentials },
      cwd: state,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      let output = '';
      child.stdout.on('data', (text) => {
        output += text;
      });
      while (!output.includes('"listening"')) await once(child.stdout, 'data');
      const status = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
      expect([await status('/health/liveness'), await status('/health/readiness')]).toEqual([200, 503]);
    } finally {
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
  });
});
