import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { readConfig } from '../../../infra/config/config.ts';
import type { Template } from '../../../infra/inProcess.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { compareInAws } from '../../../loadtest/compare/aws/compareAws.ts';
import { Progress } from '../../../loadtest/runner/progress.ts';
import { pythonEnvironment } from '../../support/tools/python.ts';
import { callAws, elements, formRequest } from './awsCalls.ts';
import { createdStacks } from './createdStacks.ts';
import { forMoto, moto, startMoto } from './moto.ts';

jest.setTimeout(180_000);

let emulator: Awaited<ReturnType<typeof startMoto>>;
let stacks: ReturnType<typeof createdStacks>;
let directory: string;
const before = { ...process.env };

beforeAll(async () => {
  emulator = await startMoto(await pythonEnvironment(moto, (line) => console.error(line)));
  stacks = createdStacks(emulator);
  Object.assign(process.env, emulator.environment, {
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL: emulator.endpoint,
  });
  directory = mkdtempSync(join(tmpdir(), 'flagwire-compare-'));
});
afterAll(async () => {
  process.env = before;
  rmSync(directory, { recursive: true });
  await emulator?.stop();
});

/** A host stack without its network: moto deletes no stack that has one. */
function withoutNetwork({ Resources, Outputs, ...template }: Template): Template {
  const resources = Object.entries(Resources)
    .filter(([, { Type }]) => !Type.startsWith('AWS::EC2::') || Type === 'AWS::EC2::Instance')
    .map(([id, { DependsOn: _, ...resource }]) => {
      if (resource.Type !== 'AWS::EC2::Instance') return [id, resource];
      const { ImageId, InstanceType, Tags } = resource.Properties ?? {};
      return [id, { Type: resource.Type, Properties: { ImageId, InstanceType, Tags } }];
    });
  return { ...template, Resources: Object.fromEntries(resources), ...(Outputs && { Outputs }) };
}

/** Makes the stacks, as moto takes them. */
async function deploy(): Promise<void> {
  const templates = forMoto(
    synthesizedTemplates(
      readConfig({
        stage: 'compare',
        host: { loadGenerator: true },
        retainData: false,
        alarms: false,
        eventBus: 'off',
      }),
    ),
  );
  expect(await stacks.createOthers(templates, 'Flagwire-compare')).toEqual(['CREATE_COMPLETE', 'CREATE_COMPLETE']);
  const host = withoutNetwork(templates['Flagwire-compare-Host'] as Template);
  expect(await stacks.create('Flagwire-compare-Host', host)).toBe('CREATE_COMPLETE');
}

test('a comparison in AWS, as far as an emulator by others goes: it runs no script of Systems Manager', async () => {
  const said: string[] = [];
  const progress = new Progress({ write: (line: string) => said.push(line) } as never);
  const prompt = { isTerminal: false, ask: async () => '' };
  const options = {
    target: ['host'],
    stage: 'compare',
    quick: true,
    rates: [10],
    budget: 5,
    out: join(directory, 'out'),
  };
  const comparing = compareInAws(options, { progress, prompt, deploy, pollMs: 100 }, new AbortController().signal);
  // Everything up to what the load generator would have measured: stacks, environment, archive, command.
  expect(await comparing).toBe(5);
  const text = said.join('');
  expect(text).toContain('one host, t2.micro: reference');
  expect(text).toMatch(/specified key does not exist|NoSuchKey/);
  expect(text).toContain('all stacks are removed');
  const query = (service: string, version: string, Action: string) =>
    callAws(emulator, formRequest(service, version, { Action }));
  expect(elements(await query('cloudformation', '2010-05-15', 'DescribeStacks'), 'StackName')).toEqual([]);
  expect(await query('ec2', '2016-11-15', 'DescribeInstances')).not.toMatch(/<name>running</);
  expect(elements(await callAws(emulator, { service: 's3' }), 'Name')).toEqual([]);
});
