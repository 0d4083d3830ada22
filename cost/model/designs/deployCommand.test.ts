import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { StageFile } from '../../../infra/config/stageFile.ts';
import { idleCost } from '../../../infra/preflight/idleCost.ts';
import { assumed } from '../../testing/assumed.ts';
import { ARCHITECTURES, type Architecture, costOf } from '../report/compare.ts';
import { LEVER_NAMES, withLevers } from '../report/levers.ts';
import { PRESETS } from '../workload/presets.ts';
import { IDLE, parseWorkload, type Workload } from '../workload/workload.ts';

const directory = mkdtempSync(join(tmpdir(), 'flagwire-cost-'));
afterAll(() => rmSync(directory, { recursive: true }));

/** The configuration that a command comes to, as `npm run deploy` reads it, once its user has filled it in. */
function configOf(command: string) {
  const filled = command
    .replace('YOUR_DOMAIN', 'flags.example.com')
    .replace('YOUR_ACCOUNT', '123456789012')
    .replace('YOUR_CERTIFICATE', '0a1b');
  const [begin, ...assignments] = filled.split(' --set ');
  const [, stage = ''] = /^npm run deploy -- (\w+)$/.exec(begin ?? '') ?? [];
  const path = mkdtempSync(join(directory, 'stage-'));
  const file = new StageFile(stage, path);
  file.set(assignments);
  return file.config();
}

const workloads: [string, Workload][] = Object.entries(PRESETS).flatMap(
  ([name, { workload }]): [string, Workload][] => {
    const preset = parseWorkload(workload);
    const servers = { ...preset, sdks: [{ share: 1, pingSeconds: 10, type: 'server' as const }] };
    return [
      [name, preset],
      [`${name} in Ireland without TLS`, { ...preset, region: 'eu-west-1', tls: false }],
      [`${name} with all levers`, withLevers(servers, LEVER_NAMES)],
    ];
  },
);

describe.each(workloads)('the command for %s', (_, workload) => {
  const possible = (Object.keys(ARCHITECTURES) as Architecture[])
    .map((which) => ({ which, ...costOf(which, workload, assumed) }))
    .filter(({ isPossible }) => isPossible);

  test.each(possible)('deploys $which', ({ which, command, machines }) => {
    const { region, lean, streamingAccessLogs, pongs, host, frontDoor, fargate } = configOf(command);
    expect({ region, lean, pongs }).toEqual({ region: workload.region, lean: workload.lean, pongs: workload.pongs });
    expect(streamingAccessLogs !== 'off').toBe(workload.accessLogs);
    const isDoor = which === 'door';
    const isMachine = isDoor || which === 't2';
    const isFargate = which === 'fargate';
    expect([host !== undefined, fargate !== undefined]).toEqual([isMachine, isFargate]);
    const { pollIntervalMs, fastPollSeconds, credits, tls } = workload;
    for (const hosts of [host, fargate]) if (hosts) expect(hosts.fastPollSeconds ?? 60).toBe(fastPollSeconds);
    if (host) {
      expect(host).toMatchObject({
        instanceType: isDoor ? 't4g.micro' : 't2.micro',
        network: isDoor ? 'private' : 'public',
        pollIntervalMs,
        ...(isDoor ? {} : { credits }),
      });
      expect([host.tls !== undefined, frontDoor !== undefined]).toEqual([tls && !isDoor, isDoor]);
    }
    if (fargate) {
      expect(fargate).toMatchObject({ count: machines, balancer: 'public', pollIntervalMs });
      expect(fargate).toMatchObject({ memoryGb: 2 * fargate.vcpu, spotPercent: 0 });
      expect(fargate.tls !== undefined).toBe(tls);
    }
  });
});

test.each(Object.keys(ARCHITECTURES) as Architecture[])(
  'the command for %s without connections deploys what costs as much when idle',
  (which) => {
    const { bill, command } = costOf(which, parseWorkload(IDLE), assumed);
    const deployed = idleCost(configOf(command), 'us-east-1').usd;
    // Calls of functions each minute, the state that they keep, and writes of the hint: preflight leaves them out.
    expect(bill.total - deployed).toBeGreaterThanOrEqual(0);
    expect(bill.total - deployed).toBeLessThan(0.25);
  },
);

test.each(workloads)('the command for %s is plain text for a shell', (_, workload) => {
  for (const which of Object.keys(ARCHITECTURES) as Architecture[])
    expect(costOf(which, workload, assumed).command).toMatch(/^[\w .:=/-]+$/);
});

test('a poll setting that is the default is not in it', () => {
  const command = (pollIntervalMs: number) => costOf('t2', parseWorkload({ pollIntervalMs }), assumed).command;
  expect(command(500)).toContain(' --set host.pollIntervalMs=500');
  expect(command(50)).not.toContain('pollIntervalMs');
  const calm = (seconds: number) => costOf('t2', parseWorkload({ fastPollSeconds: seconds }), assumed).command;
  expect(calm(0)).toContain(' --set host.fastPollSeconds=0');
  expect(calm(60)).not.toContain('fastPollSeconds');
});
