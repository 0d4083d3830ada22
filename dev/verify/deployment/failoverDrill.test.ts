import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { WebSocketServer } from 'ws';
import { readConfig } from '../../../infra/config/config.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { startDistribution } from '../../emulator/cloudfront/distribution.ts';
import { DOOR_SETTINGS } from '../../local/frontDoor.ts';
import type { Account } from './awsObservations.ts';
import { failoverDrills, findDoor, requireHostTier } from './failoverDrill.ts';
import { observe } from './report.ts';

jest.setTimeout(60_000);

const TIMES = { outageS: 1, pauseMs: 50 };
let servers: Server[];
let distribution: Awaited<ReturnType<typeof startDistribution>>;
let scripts: string[];
/** What Systems Manager says of a command. */
let invocations: object[];
const invocation = (Output: string, Status = 'Success') => ({
  InstanceId: 'i-1',
  Status,
  CommandPlugins: [{ Output }],
});
/** What the machine does with a script. */
let obey: (script: string) => void;

/** An origin that accepts handshakes. */
async function startOrigin(): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((_, response) => response.end());
  new WebSocketServer({ server });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  servers.push(server);
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

beforeEach(async () => {
  [servers, scripts, invocations] = [[], [], [invocation(''), invocation('active\nfault-begun\n')]];
  const [host, gateway] = [await startOrigin(), await startOrigin()];
  obey = () => host.server.close();
  distribution = await startDistribution({
    templates: synthesizedTemplates(readConfig(DOOR_SETTINGS)),
    addresses: { host: host.url, gateway: gateway.url, http: gateway.url },
  });
});
afterEach(async () => {
  await distribution.close();
  for (const server of servers) server.close();
});

const account = (resources: readonly string[] = []): Account => {
  const send = async (command: { readonly input: { readonly Parameters?: { readonly commands: string[] } } }) => {
    if ('StackName' in command.input) {
      return { StackResourceSummaries: resources.map((ResourceType) => ({ ResourceType })) };
    }
    const script = command.input.Parameters?.commands[0];
    if (script === undefined) return { CommandInvocations: invocations };
    scripts.push(script);
    obey(script);
    return {};
  };
  const cloudFormation = Object.assign(new CloudFormationClient({ region: 'eu-west-1' }), { send });
  const clients = { cloudFormation, cloudWatch: { send } as never, systemsManager: { send } as never };
  return { name: 'Flagwire', stage: 'dev', region: 'eu-west-1', pollMs: 1, ...clients };
};
const drill = () =>
  observe(
    failoverDrills(account(), async () => distribution.streamingUrl, TIMES),
    { clientKey: 'A'.repeat(44), serverKey: 'B'.repeat(44) } as never,
    {} as never,
    () => {},
  );

test('times handshakes while the host is away, and each fault has its end before it begins', async () => {
  const findings = await drill();
  expect(findings.map(({ isPromised }) => isPromised)).toEqual([true, true, true]);
  expect(findings[0]?.answer).toMatch(/^0 of \d+; \d+\.\d s$/);
  expect(scripts).toHaveLength(3);
  for (const script of scripts)
    expect(script).toMatch(/\nsystemd-run --on-active=1 \/bin\/sh -c '[^']+' && systemctl .+ && echo fault-begun$/);
});

test('counts handshakes that fail because neither origin is there', async () => {
  obey = () => {
    for (const server of servers) server.close();
  };
  const [finding] = await drill();
  const [, failed, count] = /^(\d+) of (\d+); /.exec(finding?.answer ?? '') ?? [];
  expect([finding?.isPromised, failed]).toEqual([false, count]);
});

test.each([
  ['no machine answers', () => [], 'no machine ran the command in time'],
  ['the host is not active', () => [invocation('inactive', 'Failed')], 'i-1: inactive'],
  ['the machine has no host', () => [invocation('')], 'i-1: no host'],
  ['the fault cannot begin', () => [invocation('active', 'Failed')], 'i-1: active'],
])('measures nothing if %s', async (_, said, why) => {
  invocations = said();
  const [finding] = await drill();
  expect(finding?.isPromised).not.toBe(true);
  expect(JSON.stringify(finding)).toContain(why);
});

test('needs handshakes that go to a healthy host', async () => {
  const stage = (hinted: string, kind: string) => ({
    tiers: { read: async () => ({ hinted }) },
    machine: { read: async () => ({ health: { kind } }) },
  });
  await requireHostTier(stage('host', 'healthy') as never);
  for (const [hinted, kind] of [
    ['gateway', 'healthy'],
    ['host', 'unhealthy'],
  ] as const)
    await expect(requireHostTier(stage(hinted, kind) as never)).rejects.toThrow('run "flags tier host"');
});

test('finds the front door, and refuses a stage without one', async () => {
  const url = 'wss://flags.example.com';
  expect(await findDoor(account(['AWS::CloudFront::KeyValueStore']), url)).toBe(url);
  await expect(findDoor(account(['AWS::CloudFront::Distribution']), url)).rejects.toThrow(
    'the stack Flagwire-dev-Host has no front door; run without --failover',
  );
});
