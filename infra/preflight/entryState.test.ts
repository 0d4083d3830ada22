import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import type { Settings } from '../config/settingsSchema.ts';
import { entryFindings } from './entryFindings.ts';
import { readEntryState } from './entryState.ts';

const SERVICES = ['ACM', 'EC2'];
const certificateIn = (region: string) => `arn:aws:acm:${region}:123456789012:certificate/0-1-2`;
const certificateArn = certificateIn('us-east-1');
const DOOR: Settings = { host: true, frontDoor: { domainName: 'flags.example.com', certificateArn } };

type Answer = readonly [status: number, body: string];
const certificate = (Status: string, ...names: string[]): Answer => [
  200,
  JSON.stringify({ Certificate: { Status, DomainName: names[0], SubjectAlternativeNames: names } }),
];
const MISSING: Answer = [400, '{"__type":"ResourceNotFoundException","message":"no"}'];

let server: Server;
let answers: Record<string, Answer>;
const asked: string[] = [];
const before = { ...process.env };

beforeEach(async () => {
  asked.length = 0;
  answers = {
    DescribeCertificate: certificate('ISSUED', 'example.com', '*.example.com'),
    DescribeAvailabilityZones: [200, '<item><zoneName>eu-west-1b</zoneName><zoneId>use1-az3</zoneId></item>'],
  };
  server = createServer(async (request, response) => {
    const body = await text(request);
    const target = String(request.headers['x-amz-target'] ?? '').split('.')[1];
    const operation = target ?? new URLSearchParams(body).get('Action') ?? '';
    const [, region] = /Credential=local\/\d+\/([\w-]+)/.exec(String(request.headers.authorization)) ?? [];
    asked.push(`${operation} in ${region}`);
    const [status, answer] = answers[operation] ?? [500, ''];
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

async function look(settings: Settings) {
  const { state, unread } = await readEntryState('eu-west-1', readConfig(settings));
  const findings = entryFindings(state);
  return {
    state,
    unread,
    texts: findings.map(({ isRefused, text }) => `${isRefused ? 'refused' : 'warned'}: ${text}`),
  };
}

describe('entries of a deployment', () => {
  test('are looked up where they are, and are in order', async () => {
    const { texts, unread } = await look(DOOR);
    expect([texts, unread]).toEqual([[], []]);
    expect(asked.sort()).toEqual(['DescribeAvailabilityZones in eu-west-1', 'DescribeCertificate in us-east-1']);
  });

  test('are not looked up if the deployment has none', async () => {
    expect((await look({})).texts).toEqual([]);
    expect(asked).toEqual([]);
  });

  test.each<[string, Settings, string[]]>([
    ['domain', { domain: { name: 'a.example.com', certificateArn } }, ['a.example.com']],
    [
      'regionalDomain',
      {
        regionalDomain: {
          streamingName: 'b.example.com',
          httpName: 'c.example.com',
          certificateArn: certificateIn('eu-west-1'),
        },
      },
      ['b.example.com', 'c.example.com'],
    ],
    [
      'host.tls',
      { host: { network: 'public', tls: { domainName: 'd.example.com', certificateArn } } },
      ['d.example.com'],
    ],
    [
      'fargate.tls',
      { fargate: { tls: { domainName: 'e.example.com', certificateArn: certificateIn('eu-west-1') } } },
      ['e.example.com'],
    ],
  ])('need a certificate that has their names: %s', async (key, settings, names) => {
    expect((await look(settings)).texts).toEqual([]);
    answers['DescribeCertificate'] = certificate('ISSUED', 'example.com', '*.a.example.com', 'other.example.com');
    expect((await look(settings)).texts).toEqual([
      `refused: The certificate of ${key} is not for ${names.join(' and ')}: it is for example.com, *.a.example.com, other.example.com. Set another name, or request another certificate`,
    ]);
  });

  test('need a certificate that is issued', async () => {
    answers['DescribeCertificate'] = certificate('PENDING_VALIDATION', 'flags.example.com');
    expect((await look(DOOR)).texts).toEqual([
      expect.stringMatching(
        /^refused: AWS will refuse the certificate of frontDoor: its status is PENDING_VALIDATION. Add/,
      ),
    ]);
    answers['DescribeCertificate'] = certificate('EXPIRED', 'flags.example.com');
    expect((await look(DOOR)).texts).toEqual([expect.stringMatching(/EXPIRED. Request another one/)]);
    answers['DescribeCertificate'] = MISSING;
    expect((await look(DOOR)).texts).toEqual([
      expect.stringMatching(/^refused: The certificate of frontDoor does not exist/),
    ]);
  });

  test('name the permission that is missing', async () => {
    answers['DescribeCertificate'] = [400, '{"__type":"AccessDeniedException","message":"no"}'];
    const { unread, texts } = await look(DOOR);
    expect(unread).toMatchObject([{ what: 'the certificate of frontDoor', action: 'acm:DescribeCertificate' }]);
    expect(texts).toEqual([]);
  });
});

test('zones without VPC origins are read for a host behind CloudFront, and not for others', async () => {
  expect((await look(DOOR)).state.zonesWithoutOrigins).toEqual(['eu-west-1b']);
  expect((await look({ host: true })).state.zonesWithoutOrigins).toEqual([]);
});
