import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import type { Settings } from '../config/settingsSchema.ts';
import { accountFindings, readAccountState } from './accountState.ts';
import { typesAnswer } from './testing/playedAccount.ts';

const SERVICES = ['API_GATEWAY', 'IAM', 'CLOUDFRONT', 'EC2'];
const tls = { domainName: 'flags.example.com', certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0' };
const EVERYTHING: Settings = {
  streamingAccessLogs: 'create-role',
  host: { network: 'public', tls, loadGenerator: { instanceType: 't3.micro' } },
  fargate: true,
};

type Answer = readonly [status: number, body: string];

/** What AWS answers, by the operation. Bodies are as in the API references. */
const ANSWERS: Readonly<Record<string, Answer>> = {
  GetAccount: [200, '{"cloudwatchRoleArn":"arn:aws:iam::123456789012:role/others"}'],
  GetRole: [200, '<GetRoleResponse><GetRoleResult><Role><Arn>a</Arn></Role></GetRoleResult></GetRoleResponse>'],
  ListDistributions: [200, '<DistributionList><MaxItems>1</MaxItems><Quantity>1</Quantity></DistributionList>'],
};

const ZONES = { 't2.micro': ['eu-west-1a'], 't3.micro': ['eu-west-1b', 'eu-west-1a', 'eu-west-1-lon-1a'] };

let server: Server;
let answers: Record<string, Answer>;
const asked: { operation: string; body: string; authorization: string }[] = [];
const before = { ...process.env };

beforeEach(async () => {
  answers = { ...ANSWERS };
  asked.length = 0;
  server = createServer(async (request, response) => {
    const body = await text(request);
    const operation = operationOf(request.url ?? '', body);
    asked.push({ operation, body, authorization: String(request.headers.authorization) });
    const [status, answer] = answers[operation] ?? typesAnswer(body, ZONES) ?? [500, ''];
    response.writeHead(status).end(answer);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const service of SERVICES) process.env[`AWS_ENDPOINT_URL_${service}`] = url;
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'local', AWS_SECRET_ACCESS_KEY: 'local' });
});
afterEach(async () => {
  process.env = { ...before };
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

function operationOf(url: string, body: string): string {
  if (url === '/account') return 'GetAccount';
  if (url.startsWith('/2020-05-31/distribution')) return 'ListDistributions';
  return new URLSearchParams(body).get('Action') ?? url;
}

const lookAt = async (settings: Settings = EVERYTHING) => {
  const { state, unread } = await readAccountState('eu-west-1', readConfig(settings));
  return { state, unread, texts: accountFindings(state).map(({ text }) => text) };
};

test.each<[Settings, boolean]>([
  [{}, false],
  [{ host: { network: 'public', tls } }, true],
  [{ host: { network: 'public' } }, false],
  [{ host: true, frontDoor: tls }, true],
  [{ domain: { name: tls.domainName, certificateArn: tls.certificateArn } }, true],
])('a look at CloudFront is needed for each distribution: %j', async (settings, isNeeded) => {
  expect('distributions' in (await lookAt(settings)).state).toBe(isNeeded);
});

describe('a look at the account', () => {
  test('reads what is wanted, each request signed for its service', async () => {
    const { state, unread } = await lookAt();
    expect(unread).toEqual([]);
    expect(state).toEqual({
      logRole: 'arn:aws:iam::123456789012:role/others',
      hasEcsRole: true,
      distributions: 1,
      machineTypes: {
        't2.micro': ['eu-west-1a'],
        't3.micro': ['eu-west-1a', 'eu-west-1b'],
      },
    });
    const signedFor = asked.map(
      ({ authorization }) => /Credential=local\/\d+\/([\w-]+\/\w+)\//.exec(authorization)?.[1],
    );
    expect([...new Set(signedFor)].sort()).toEqual([
      'eu-west-1/apigateway',
      'eu-west-1/ec2',
      'us-east-1/cloudfront',
      'us-east-1/iam',
    ]);
  });

  test('asks for nothing that no part of the deployment needs', async () => {
    expect(await lookAt({})).toEqual({ state: {}, unread: [], texts: [] });
    expect(asked).toEqual([]);
  });

  test('names the permission that is missing, and goes on with the rest', async () => {
    answers['GetRole'] = [
      403,
      '<ErrorResponse><Error><Code>AccessDenied</Code><Message>no</Message></Error></ErrorResponse>',
    ];
    const { state, unread } = await lookAt();
    expect(unread).toMatchObject([
      {
        action: 'iam:GetRole on role/aws-service-role/ecs.amazonaws.com/*',
        error: { name: 'AccessDenied', message: 'no' },
      },
    ]);
    expect(state).toMatchObject({ distributions: 1 });
    expect(state).not.toHaveProperty('hasEcsRole');
  });
});

describe('an obstacle to a deployment', () => {
  test('is the role that ECS lacks, with the command that makes it', async () => {
    answers['GetRole'] = [
      404,
      '<ErrorResponse><Error><Code>NoSuchEntity</Code><Message>no</Message></Error></ErrorResponse>',
    ];
    expect((await lookAt()).texts).toEqual([
      expect.stringMatching(/: aws iam create-service-linked-role --aws-service-name ecs\.amazonaws\.com$/),
    ]);
  });

  test('is a first distribution, as CloudFront refuses some accounts', async () => {
    answers['ListDistributions'] = [200, '<DistributionList><Quantity>0</Quantity></DistributionList>'];
    expect((await lookAt()).texts).toEqual([expect.stringMatching(/^CloudFront may refuse /)]);
  });

  test('is nothing where no role is set: API Gateway then answers without one', async () => {
    answers['GetAccount'] = [200, '{"throttleSettings":{"rateLimit":10000}}'];
    expect((await lookAt()).state).toMatchObject({ logRole: '' });
  });
});
