import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../../../infra/config/config.ts';
import type { Template } from '../../../infra/inProcess.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { callAws, formRequest } from './awsCalls.ts';
import { createdStacks } from './createdStacks.ts';
import { type Emulator, startEmulator } from './emulator.ts';
import { forEmulator } from './transform.ts';

jest.setTimeout(180_000);

let emulator: Emulator;
let stacks: ReturnType<typeof createdStacks>;

beforeAll(async () => {
  emulator = await startEmulator(console.error);
  stacks = createdStacks(emulator);
});
afterAll(() => emulator?.stop());

const ecs = async (operation: string, input: object) =>
  JSON.parse(
    await callAws(emulator, {
      service: 'ecs',
      target: `AmazonEC2ContainerServiceV20141113.${operation}`,
      body: JSON.stringify(input),
    }),
  );
const balancing = (Action: string) => callAws(emulator, formRequest('elasticloadbalancing', '2015-12-01', { Action }));

describe('the stack with hosts on Fargate, by CreateStack', () => {
  test('is created, with a service behind the balancer that its outputs name', async () => {
    // The emulator takes no alarm on metric math.
    const templates = synthesizedTemplates(readConfig({ fargate: true, alarms: false }));
    expect(await stacks.createOthers(templates)).toEqual(['CREATE_COMPLETE', 'CREATE_COMPLETE']);
    const { template } = forEmulator(templates['Flagwire-dev-Fargate'] as Template);
    expect(await stacks.create('Flagwire-dev-Fargate', template)).toBe('CREATE_COMPLETE');

    const {
      clusterArns: [cluster],
    } = await ecs('ListClusters', {});
    const { serviceArns } = await ecs('ListServices', { cluster });
    const { services } = await ecs('DescribeServices', { cluster, services: serviceArns });
    expect(services).toHaveLength(1);
    const targetGroupArn = /<TargetGroupArn>([^<]+)</.exec(await balancing('DescribeTargetGroups'))?.[1];
    expect(services[0].loadBalancers).toEqual([{ containerName: 'host', containerPort: 5_100, targetGroupArn }]);
    const { taskDefinition } = await ecs('DescribeTaskDefinition', { taskDefinition: services[0].taskDefinition });
    expect(taskDefinition.containerDefinitions.map(({ name }: { name: string }) => name)).toEqual(['fetch', 'host']);

    const balancers = await balancing('DescribeLoadBalancers');
    expect(balancers).toContain('<Type>network</Type>');
    const host = /<DNSName>([^<]+)</.exec(balancers)?.[1];
    const outputs = await stacks.describe('Flagwire-dev-Fargate');
    expect(outputs).toContain(`<OutputKey>StreamingUri</OutputKey><OutputValue>ws://${host}</OutputValue>`);
  });
});
