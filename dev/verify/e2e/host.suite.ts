import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../../../infra/config/config.ts';
import type { Template } from '../../../infra/inProcess.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { pythonEnvironment } from '../../support/tools/python.ts';
import { callAws, formRequest } from './awsCalls.ts';
import { CreatedStacks } from './createdStacks.ts';
import { type Moto, moto, startMoto } from './moto.ts';

jest.setTimeout(180_000);

let emulator: Moto;
let stacks: CreatedStacks;

beforeAll(async () => {
  emulator = await startMoto(await pythonEnvironment(moto, (line) => console.error(line)));
  stacks = await CreatedStacks.in(emulator);
});
afterAll(() => emulator?.stop());

/** With an image for each machine, which moto does not take from launch templates: one that moto has. */
function withImages(template: Template | undefined): Partial<Template> {
  const resources = Object.entries(template?.Resources ?? {}).map(([id, resource]) =>
    resource.Type === 'AWS::EC2::Instance'
      ? [id, { ...resource, Properties: { ImageId: 'ami-03cf127a', ...resource.Properties } }]
      : [id, resource],
  );
  return { ...template, Resources: Object.fromEntries(resources) };
}

/** With tables of the type that moto knows: it makes no global tables. */
function withPlainTables(template: Template): Template {
  const resources = Object.entries(template.Resources).map(([id, resource]) => {
    if (resource.Type !== 'AWS::DynamoDB::GlobalTable') return [id, resource];
    const { Replicas: _, ...properties } = resource.Properties ?? {};
    return [id, { ...resource, Type: 'AWS::DynamoDB::Table', Properties: properties }];
  });
  return { ...template, Resources: Object.fromEntries(resources) };
}

describe('the host stack, by CreateStack', () => {
  test('is created, with a load generator too, and its machines run', async () => {
    const config = readConfig({ host: { loadGenerator: true } });
    const templates = synthesizedTemplates(config);
    const { 'Flagwire-dev-Data': data } = templates;
    const others = { ...templates, 'Flagwire-dev-Data': withPlainTables(data as Template) };
    expect(await stacks.createOthers(others)).toEqual(['CREATE_COMPLETE', 'CREATE_COMPLETE']);
    const comparison = withImages(templates['Flagwire-dev-Host']);
    expect(await stacks.create('Flagwire-dev-Host', comparison)).toBe('CREATE_COMPLETE');

    const machines = await callAws(emulator, formRequest('ec2', '2016-11-15', { Action: 'DescribeInstances' }));
    expect(machines.match(/<instanceType>[^<]+/g)?.sort()).toEqual([
      '<instanceType>c6i.xlarge',
      '<instanceType>t2.micro',
    ]);
    expect(machines.match(/<instanceState>\s*<code>16</g)).toHaveLength(2);
    expect(machines.match(/<keyName>\w/g)).toBeNull();

    const outputs = await stacks.describe('Flagwire-dev-Host');
    expect(outputs).toMatch(/<OutputKey>StreamingUri<\/OutputKey>\s*<OutputValue>ws:\/\/[\d.]+:5100</);
  });
});
