import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../../cdk/config/config.ts';
import type { Template } from '../../cdk/inProcess.ts';
import { synthesizedTemplates } from '../../cdk/testing/synthesizedTemplates.ts';
import { pythonEnvironment } from '../tools/python.ts';
import { callAws, formRequest } from './awsCalls.ts';
import { type Moto, moto, startMoto } from './moto.ts';

jest.setTimeout(180_000);

let emulator: Moto;

beforeAll(async () => {
  emulator = await startMoto(await pythonEnvironment(moto, (line) => console.error(line)));
  // As `cdk bootstrap` leaves it; the templates read it.
  const body = JSON.stringify({ Name: '/cdk-bootstrap/hnb659fds/version', Value: '21', Type: 'String' });
  await callAws(emulator, { service: 'ssm', target: 'AmazonSSM.PutParameter', body });
});
afterAll(() => emulator?.stop());

/** Creates a stack, and waits for what becomes of it. */
async function create(name: string, template: unknown): Promise<string> {
  const stack = { StackName: name, 'Capabilities.member.1': 'CAPABILITY_IAM' };
  await call({ Action: 'CreateStack', TemplateBody: JSON.stringify(template), ...stack });
  for (;;) {
    const status = /<StackStatus>(\w+)</.exec(await call({ Action: 'DescribeStacks', StackName: name }))?.[1] ?? '';
    if (!status.endsWith('IN_PROGRESS')) return status;
    await sleep(200);
  }
}

const call = (parameters: Record<string, string>) =>
  callAws(emulator, formRequest('cloudformation', '2010-05-15', parameters));

/** In the place of the serverless stack, which moto cannot make: what it exports, by name; dashboards alone refer to it. */
function exportsOnly({ Outputs = {} }: Partial<Template> = {}): Template {
  const exported = Object.entries(Outputs).filter(([, { Export }]) => Export !== undefined);
  return {
    Resources: {
      Nothing: { Type: 'AWS::SSM::Parameter', Properties: { Name: '/flagwire/exports', Type: 'String', Value: '-' } },
    },
    Outputs: Object.fromEntries(exported.map(([name, { Export }]) => [name, { Value: name, Export: Export as never }])),
  };
}

/** With an image for each machine, which moto does not take from launch templates: one that moto has. */
function withImages(template: Template | undefined): Partial<Template> {
  const resources = Object.entries(template?.Resources ?? {}).map(([id, resource]) =>
    resource.Type === 'AWS::EC2::Instance'
      ? [id, { ...resource, Properties: { ImageId: 'ami-03cf127a', ...resource.Properties } }]
      : [id, resource],
  );
  return { ...template, Resources: Object.fromEntries(resources) };
}

describe('the comparison stack, by CreateStack', () => {
  test('is created, with a load generator too, and its machines run', async () => {
    const config = readConfig({ 'flagwire:comparison': true, 'flagwire:loadGenerator': true });
    const {
      'Flagwire-dev-Data': data,
      'Flagwire-dev-Comparison': comparison,
      ...others
    } = synthesizedTemplates(config);
    expect(await create('Flagwire-dev-Data', data)).toBe('CREATE_COMPLETE');
    const names = exportsOnly(others['Flagwire-dev-Serverless']);
    expect(await create('Flagwire-dev-Serverless', names)).toBe('CREATE_COMPLETE');
    expect(await create('Flagwire-dev-Comparison', withImages(comparison))).toBe('CREATE_COMPLETE');

    const machines = await callAws(emulator, formRequest('ec2', '2016-11-15', { Action: 'DescribeInstances' }));
    expect(machines.match(/<instanceType>[^<]+/g)?.sort()).toEqual([
      '<instanceType>c6i.xlarge',
      '<instanceType>t2.micro',
    ]);
    expect(machines.match(/<instanceState>\s*<code>16</g)).toHaveLength(2);
    expect(machines.match(/<keyName>\w/g)).toBeNull();

    const outputs = await call({ Action: 'DescribeStacks', StackName: 'Flagwire-dev-Comparison' });
    expect(outputs).toMatch(/<OutputKey>StreamingUri<\/OutputKey>\s*<OutputValue>ws:\/\/[\d.]+:5100</);
  });
});
