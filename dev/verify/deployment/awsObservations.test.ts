import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { expect, test } from '@jest/globals';
import { awsObservations } from './awsObservations.ts';
import { observe } from './report.ts';

type Reply = Readonly<Record<string, unknown>>;

const FUNCTIONS = ['Flagwire-dev-Revoke1', 'Flagwire-dev-Publish2'];
const STACK = {
  StackResourceSummaries: [
    { ResourceType: 'AWS::DynamoDB::GlobalTable', PhysicalResourceId: 'table' },
    ...FUNCTIONS.map((PhysicalResourceId) => ({ ResourceType: 'AWS::Lambda::Function', PhysicalResourceId })),
  ],
};
const onHost = (Status: string, Output = '') => ({
  CommandInvocations: [{ InstanceId: 'i-1', Status, CommandPlugins: [{ Output }] }],
});

/** The answers where AWS gives these replies: by command, the last of a list again and again. */
async function answers(replies: Readonly<Record<string, readonly Reply[]>>) {
  const asked: [name: string, input: Reply][] = [];
  const left = new Map(Object.entries(replies).map(([name, each]) => [name, [...each]]));
  const send = async (command: { readonly input: Reply }) => {
    const name = command.constructor.name.replace(/Command$/, '');
    asked.push([name, command.input]);
    const of = left.get(name) ?? [{}];
    return of.length > 1 ? of.shift() : of[0];
  };
  const cloudFormation = Object.assign(new CloudFormationClient({ region: 'eu-west-1' }), { send });
  const clients = { cloudFormation, cloudWatch: { send } as never, systemsManager: { send } as never };
  const account = { name: 'Flagwire', stage: 'dev', region: 'eu-west-1', pollMs: 1, ...clients };
  const findings = await observe(awsObservations(account), {} as never, {} as never, () => {});
  return { asked, answers: findings.map(({ answer, isPromised }) => [answer, isPromised]) };
}

test('a deployment that is as promised has no alarm, no dropped event, no lag, and hosts without rests', async () => {
  const { asked, answers: found } = await answers({
    DescribeAlarms: [{ MetricAlarms: [{ AlarmName: 'Flagwire-dev-sync-p99', StateValue: 'OK' }] }],
    ListStackResources: [STACK, {}],
    GetMetricData: [{}, { MetricDataResults: [{ Label: FUNCTIONS[0], Values: [700] }] }],
    ListCommandInvocations: [
      {},
      onHost('InProgress'),
      onHost('Success', 'service active, /tmp 1 MB, memory 500 MB free'),
    ],
  });
  expect(found).toEqual([
    ['none of 1', true],
    ['0 (2 functions)', true],
    ['700 (0 functions)', true],
    ['i-1: service active, /tmp 1 MB, memory 500 MB free', true],
  ]);
  expect(asked.filter(([name]) => name === 'ListStackResources').map(([, { StackName }]) => StackName)).toEqual(
    ['Data', 'Serverless', 'Data', 'Serverless'].map((stack) => `Flagwire-dev-${stack}`),
  );
  const [, command] = asked.find(([name]) => name === 'SendCommand') ?? [];
  expect(command?.['Targets']).toEqual([
    { Key: 'tag:app', Values: ['flagwire'] },
    { Key: 'tag:stage', Values: ['dev'] },
  ]);
});

test('alarms, dropped events, a lag and rests of an installation are named', async () => {
  const { answers: found } = await answers({
    DescribeAlarms: [{ MetricAlarms: [{ AlarmName: 'Flagwire-dev-sync-p99', StateValue: 'ALARM' }] }],
    ListStackResources: [STACK, {}],
    GetMetricData: [{ MetricDataResults: [{ Label: FUNCTIONS[0], Values: [3_000] }] }],
    ListCommandInvocations: [onHost('Success', 'service failed, /tmp 116 MB, memory 20 MB free')],
  });
  expect(found).toEqual([
    ['sync-p99 of 1', false],
    [`${FUNCTIONS[0]}: 3000`, false],
    [`${FUNCTIONS[0]}: 3000`, false],
    ['i-1: service failed, /tmp 116 MB, memory 20 MB free', false],
  ]);
});

test.each([
  ['without machines', {}],
  ['with a load generator alone', onHost('Success')],
])('nothing is said of hosts in a deployment %s', async (_, reply) => {
  expect((await answers({ ListCommandInvocations: [reply] })).answers).toHaveLength(3);
});
