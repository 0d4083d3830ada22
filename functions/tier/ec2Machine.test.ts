import { beforeEach, expect, test } from '@jest/globals';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { useFakeApi } from '../../shared/testing/fakeApi.ts';
import { PlayedEc2 } from '../testing/playedEc2.ts';
import { Ec2Machine } from './ec2Machine.ts';

const LAUNCHED = Date.UTC(2026, 10, 28, 7);
let ec2: PlayedEc2;
let response: string | undefined;
let authorization: string | undefined;

const fake = useFakeApi((request, answer) => {
  authorization = request.headers.authorization;
  if (response === undefined) ec2.answer(request, answer);
  else answer.end(response);
});

beforeEach(() => {
  ec2 = new PlayedEc2('stopped', () => LAUNCHED);
  response = undefined;
});

const keys = async () => ({ accessKeyId: 'local', secretAccessKey: 'key' });
const machine = (id = PlayedEc2.instanceId) =>
  new Ec2Machine({ endpoint: fake.endpoint, region: 'eu-west-1', keys }, id, systemEffects);

test.each([
  ['running', 'running'],
  ['stopped', 'stopped'],
  ['pending', 'changing'],
  ['stopping', 'changing'],
] as const)('reads an instance that is %s as %s, and when it was launched', async (state, read) => {
  ec2.state = state;
  expect(await machine().describe()).toEqual({ state: read, launchedAt: LAUNCHED, isImpaired: false });
});

test.each([
  [{ system: 'impaired' }, true],
  [{ instance: 'impaired' }, true],
  [{ system: 'ok', instance: 'ok' }, false],
  [{ system: 'initializing', instance: 'initializing' }, false],
  [{ system: 'insufficient-data', instance: 'not-applicable' }, false],
])('reads status checks %j as impaired: %s', async (status, isImpaired) => {
  ec2.state = 'running';
  Object.assign(ec2.status, status);
  expect(await machine().describe()).toMatchObject({ state: 'running', isImpaired });
});

test('starts and stops the instance with signed requests', async () => {
  await machine().change('start');
  ec2.settle();
  await machine().change('stop');
  expect(ec2.changes).toEqual(['StartInstances', 'StopInstances']);
  expect(authorization).toContain('/eu-west-1/ec2/aws4_request');
});

test('names the action, the instance and the error of EC2', async () => {
  ec2.state = 'stopping';
  await expect(machine().change('start')).rejects.toThrow(
    'EC2 refused StartInstances for instance i-0123456789abcdef0 with IncorrectInstanceState: about i-0123456789abcdef0',
  );
  await expect(machine('i-1').describe()).rejects.toThrow(/DescribeInstances.*i-1 with InvalidInstanceID.NotFound/);
  ec2.refused.set('DescribeInstances', 'RequestLimitExceeded');
  await expect(machine().describe()).rejects.toThrow('RequestLimitExceeded');
});

test('refuses a response without an instance', async () => {
  response = '<DescribeInstancesResponse><reservationSet/></DescribeInstancesResponse>';
  await expect(machine().describe()).rejects.toThrow('does not describe instance i-0123456789abcdef0');
});
