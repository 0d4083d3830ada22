import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { InstanceType } from 'aws-cdk-lib/aws-ec2';
import { freePort } from '../../../dev/support/freePort.ts';
import { describeWith } from '../../../dev/support/jest/describeWith.ts';
import { SystemdMachine } from '../../../dev/support/systemd/systemdMachine.ts';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { database, store, useStore } from '../../../shared/store/testing/testStore.ts';
import { environmentOf } from '../../../shared/store/testing/testTables.ts';
import { until } from '../../../shared/testing/until.ts';
import { programOf } from '../../hostRuntime.ts';
import { onlyResourceOf, templateWith, textOf } from '../../stacks/testing/templates.ts';
import { BUN_VERSION, bunBuildFor } from './bunBinary.ts';
import { type HostArchive, packHost } from './hostArchive.ts';

jest.setTimeout(120_000);

const describeWithMachine = await describeWith({ name: 'systemd', find: SystemdMachine.check });

/** Less than in the unit, so that the test of a hung host takes less time. */
const WATCHDOG_SECONDS = 12;

/** What install.sh sets of the kernel. */
const KERNEL_SETTINGS = [
  'net.core.somaxconn',
  'net.ipv4.tcp_max_syn_backlog',
  'net.ipv4.ip_local_port_range',
  'fs.file-max',
  'vm.swappiness',
];

/**
 * What an instance has and this machine does not. Each checks what the real one does first, and notes how it was called. `dnf`
 * brings the agent's control program, which takes one configuration that it can read.
 */
const PLAYED: Readonly<Record<string, string>> = {
  'usr/local/bin/aws': `
[[ "$1 $2 $3 $5" == 's3 cp --region --only-show-errors' && $6 == s3://?*/?* ]] || exit 252
cp /played/host.tar.gz "$7"`,
  'usr/local/bin/dnf': `
[[ $EUID == 0 && "$*" == 'install --assumeyes --quiet amazon-cloudwatch-agent logrotate' ]] || exit 1
install -D -m 0755 /played/agent-ctl /opt/aws/amazon-cloudwatch-agent/bin/amazon-cloudwatch-agent-ctl
printf '[Timer]\\nOnCalendar=daily\\n[Install]\\nWantedBy=timers.target\\n' >/etc/systemd/system/logrotate.timer
printf '[Service]\\nType=oneshot\\nExecStart=logrotate /etc/logrotate.conf\\n' >/etc/systemd/system/logrotate.service`,
  'played/agent-ctl': `
[[ $EUID == 0 && "$1 $2 $3 $4 $5 $6" == '-a fetch-config -m ec2 -s -c' && $7 == file:/* ]] || exit 1
python3 -m json.tool "\${7#file:}" >/played/agent.json`,
  'opt/aws/bin/cfn-signal': '',
};

useStore(systemEffects);

let directory: string;
let archive: HostArchive;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'flagwire-install-'));
  archive = packHost(programOf('bun'), join(directory, 'packed'));
});
afterAll(() => rmSync(directory, { recursive: true }));

describeWithMachine('an instance that boots', bootTests);

function bootTests(): void {
  let machine: SystemdMachine;
  let port: number;

  beforeAll(async () => {
    port = await freePort();
    const files = join(directory, 'files');
    const write = (path: string, text: string, mode = 0o644) => {
      mkdirSync(dirname(join(files, path)), { recursive: true });
      writeFileSync(join(files, path), text, { mode });
    };
    for (const [path, text] of Object.entries(PLAYED)) {
      write(path, `#!/bin/bash\necho "${path.split('/').at(-1)} $*" >>/played/calls${text}\n`, 0o755);
    }
    cpSync(archive.path, join(files, 'played/host.tar.gz'));
    write('var/lib/cloud/user-data', userData(port));
    // In the place of the instance's role, and of DynamoDB's endpoint in the region.
    const environment = Object.entries(await environmentOf(database.open(systemEffects).tables.client));
    const lines = environment.map(([name, value]) => `Environment=${name}=${value}\n`);
    write(
      'etc/systemd/system/flagwire-host.service.d/played.conf',
      `[Service]\nWatchdogSec=${WATCHDOG_SECONDS}\n${lines.join('')}`,
    );
    machine = await SystemdMachine.start(files, KERNEL_SETTINGS);
  });
  afterAll(() => machine?.close());

  /** What cloud-init does with it. */
  const boot = () => machine.run('bash', '-c', 'bash /var/lib/cloud/user-data >>/var/log/cloud-init-output.log 2>&1');
  const calls = async () => (await machine.read('/played/calls')).trim().split('\n');
  const isReady = async () =>
    (
      await fetch(`http://127.0.0.1:${port}/health/readiness`, { signal: AbortSignal.timeout(1_000) }).catch(
        () => undefined,
      )
    )?.status === 200;
  const unitShows = async (property: string) =>
    (await machine.run('systemctl', 'show', '--value', '--property', property, 'flagwire-host')).output.trim();
  const temporary = async () => (await machine.run('find', '/tmp', '/var/tmp', '-size', '+1M')).output;
  const log = () => machine.read('/var/log/flagwire/host.log');

  test('installs the host, starts it, waits until it is ready, and signals that', async () => {
    const { exitCode } = await boot();
    const output = await machine.read('/var/log/cloud-init-output.log');
    const { output: journal } = await machine.run('journalctl', '--unit', 'flagwire-host', '--output', 'cat');
    expect([exitCode, output + journal]).toEqual([0, expect.stringMatching(/\nready\n.*\n.*\n$/)]);
    expect((await calls()).map((call) => call.split(' ')[0])).toEqual(['aws', 'dnf', 'agent-ctl', 'cfn-signal']);
    expect((await calls()).at(-1)).toMatch(/^cfn-signal --stack \S+ --resource \S+ --region us-east-1 -e 0$/);
    expect([await unitShows('ActiveState'), await unitShows('UnitFileState')]).toEqual(['active', 'enabled']);
  });

  test('leaves nothing of the installation, on disk or in memory', async () => {
    expect(await temporary()).toBe('');
  });

  test('serves flags from the table, and writes its log', async () => {
    const [key] = (await store.environments.create('one')).secrets;
    const url = `http://127.0.0.1:${port}/api/public/sdk/server/latest-all`;
    const answer = await fetch(url, { headers: { Authorization: key?.value ?? '' } });
    expect([answer.status, await answer.json()]).toMatchObject([200, { messageType: 'data-sync' }]);
    expect(await log()).toContain('"message":"listening"');
  });

  test('runs as its own user, and with what the unit allows', async () => {
    const pid = await unitShows('MainPID');
    const status = await machine.read(`/proc/${pid}/status`);
    const { output: user } = await machine.run('stat', '--format', '%U', `/proc/${pid}`);
    expect(user).toBe('flagwire\n');
    expect(status).toMatch(/^CapEff:\t0{16}$/m);
    expect(status).toMatch(/^Seccomp:\t2$/m);
    // Here systemd may have fewer itself.
    expect(await unitShows('LimitNOFILE')).toBe('200000');
  });

  test('sets the kernel, and has the agent measure and collect what the stack says', async () => {
    const { output } = await machine.run('sysctl', '--values', ...KERNEL_SETTINGS);
    expect(output).toBe('8192\n8192\n1024 65535\n500000\n0\n');
    const { agent, logs } = JSON.parse(await machine.read('/played/agent.json'));
    expect(agent.metrics_collection_interval).toBe(60);
    expect(logs.logs_collected.files.collect_list[0]).toMatchObject({
      file_path: '/var/log/flagwire/host.log',
      log_group_name: '{InstallLogs}',
    });
  });

  test('starts the host again when it is asked to, and when it was killed', async () => {
    const before = await unitShows('MainPID');
    expect((await machine.run('systemctl', 'restart', 'flagwire-host')).exitCode).toBe(0);
    await until(isReady);
    const restarted = await unitShows('MainPID');
    expect((await machine.run('kill', '-KILL', restarted)).exitCode).toBe(0);
    await until(async () => (await isReady()) && (await unitShows('MainPID')) !== restarted);
    expect(new Set([before, restarted, await unitShows('MainPID')]).size).toBe(3);
    expect((await log()).split('"message":"listening"')).toHaveLength(4);
  });

  test('lets a host go on that answers, and starts one again that does not', async () => {
    const before = await unitShows('MainPID');
    await sleep((WATCHDOG_SECONDS + 2) * 1_000);
    expect(await unitShows('MainPID')).toBe(before);
    expect((await machine.run('kill', '-STOP', before)).exitCode).toBe(0);
    await until(async () => (await unitShows('MainPID')) !== before && (await isReady()));
  });

  test('bounds its log, to which the host goes on writing', async () => {
    const before = await log();
    const { exitCode, output } = await machine.run('logrotate', '--force', '/etc/logrotate.d/flagwire');
    expect([exitCode, output, await log()]).toEqual([0, '', '']);
    expect((await machine.run('zcat', '/var/log/flagwire/host.log.1.gz')).output).toBe(before);
    await machine.run('systemctl', 'restart', 'flagwire-host');
    await until(isReady);
    expect(await log()).toMatch(/^{.*"stopping".*\n{.*"listening"/);
  });

  test('signals that it failed with an archive that was changed, of which nothing is unpacked', async () => {
    await machine.run('bash', '-c', 'echo x >>/played/host.tar.gz && rm /played/calls');
    expect((await boot()).exitCode).toBe(1);
    expect(await machine.read('/var/log/cloud-init-output.log')).toContain('host.tar.gz: FAILED');
    expect(await temporary()).toBe('');
    const [, last = ''] = await calls();
    expect(last).toMatch(/^cfn-signal .* -e 1$/);
  });
}

/** The stack's user data, as CloudFormation makes it. */
function userData(port: number): string {
  const { properties } = onlyResourceOf(templateWith('Host', { host: true }), 'AWS::EC2::Instance');
  return textOf((properties['UserData'] as { readonly 'Fn::Base64': unknown })['Fn::Base64'])
    .replaceAll('{AWS::Region}', 'us-east-1')
    .replaceAll('{AWS::AccountId}', '123456789012')
    .replaceAll('{Flags}', store.tables.flags)
    .replaceAll('{Connections}', store.tables.connections)
    .replace('0'.repeat(64), archive.sha256)
    .replace('PORT=5100', `PORT=${port}`);
}

test('the install script refuses to begin without what it needs', () => {
  const script = join(import.meta.dirname, 'files/install.sh');
  const run = (...args: string[]) => spawnSync('bash', [script, ...args], { encoding: 'utf8' });
  expect(run('--log-group', 'a', 'PORT=5100').stderr).toContain('needs --metrics-seconds, --log-group, FLAGS_TABLE');
  expect(run('--log-gruop', 'a').stderr).toContain('there is no option --log-gruop');
  expect(run('--log-group').stderr).toContain('--log-group needs a value');
});

test('the same sources make the same archive', () => {
  const bun = join(directory, 'bun');
  writeFileSync(bun, 'a program');
  const [first, second] = ['first', 'second'].map((folder) => packHost(bun, join(directory, folder)));
  expect(first?.sha256).toBe(second?.sha256);
});

test('installs the tested Bun, built for the machine’s processor', () => {
  expect(execFileSync(programOf('bun'), ['--version'], { encoding: 'utf8' }).trim()).toBe(BUN_VERSION);
  const builds = ['t2.micro', 't3.micro', 'c7g.large', 'm3.medium'].map((type) => bunBuildFor(new InstanceType(type)));
  expect(builds).toEqual(['linux-x64-baseline', 'linux-x64', 'linux-aarch64', 'linux-x64-baseline']);
});
