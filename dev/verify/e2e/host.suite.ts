import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../../../infra/config/config.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { pythonEnvironment } from '../../support/tools/python.ts';
import { callAws, formRequest } from './awsCalls.ts';
import { createdStacks } from './createdStacks.ts';
import { forMoto, moto, startMoto } from './moto.ts';

jest.setTimeout(180_000);

let emulator: Awaited<ReturnType<typeof startMoto>>;
let stacks: ReturnType<typeof createdStacks>;

beforeAll(async () => {
  emulator = await startMoto(await pythonEnvironment(moto, (line) => console.error(line)));
  stacks = createdStacks(emulator);
});
afterAll(() => emulator?.stop());

describe('the host stack, by CreateStack', () => {
  test('is created, with a load generator too, and its machines run', async () => {
    // Without the function for change events: the emulator's CloudFormation makes no functions.
    const config = readConfig({ eventBus: 'off', host: { loadGenerator: true } });
    const templates = synthesizedTemplates(config);
    expect(await stacks.createOthers(forMoto(templates))).toEqual(['CREATE_COMPLETE', 'CREATE_COMPLETE']);
    expect(await stacks.create('Flagwire-dev-Host', forMoto(templates)['Flagwire-dev-Host'])).toBe('CREATE_COMPLETE');

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
