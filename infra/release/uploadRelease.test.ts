import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { awsError, type PlayedRequest, playClient } from './testing/playedClient.ts';
import { uploadRelease } from './uploadRelease.ts';

const path = mkdtempSync(join(tmpdir(), 'flagwire-test-'));
mkdirSync(join(path, 'flagwire-1.0.0'));
writeFileSync(join(path, 'flagwire-1.0.0', 'aa.zip'), 'code');
writeFileSync(join(path, 'template.json'), '{}');
afterAll(() => rmSync(path, { recursive: true }));

const release = { path, version: '1.0.0' };
const place = { account: '123456789012', arn: 'arn:aws:iam::123456789012:user/me', region: 'eu-west-1' };
const own = 'flagwire-assets-123456789012-eu-west-1';
const template = 'flagwire-1.0.0/template-44136fa355b3678a.json';

const said: string[] = [];
const requests: PlayedRequest[] = [];
beforeEach(() => {
  said.length = 0;
  requests.length = 0;
});

/** Uploads to a bucket. @param present keys in it, or why it cannot be listed */
function upload(present: readonly string[] | Error, target: object = {}): ReturnType<typeof uploadRelease> {
  const client = new S3Client({ region: place.region });
  const answer = ({ operation }: PlayedRequest) => {
    if (operation !== 'ListObjectsV2') return {};
    if (present instanceof Error) throw present;
    return { Contents: present.map((Key) => ({ Key })) };
  };
  return uploadRelease(playClient(client, answer, requests), release, { ...place, ...target }, (line) => {
    said.push(line);
  });
}

const asked = () => requests.map(({ operation, input }) => [operation, input.Key].filter(Boolean).join(' '));

test('creates the bucket of the account, requires TLS, and then uploads everything', async () => {
  expect(await upload(awsError('NoSuchBucket', 'none'))).toEqual({
    bucket: own,
    templateUrl: `https://s3.eu-west-1.amazonaws.com/${own}/${template}`,
  });
  expect(asked()).toEqual([
    'ListObjectsV2',
    'CreateBucket',
    'PutBucketPolicy',
    'PutObject flagwire-1.0.0/aa.zip',
    `PutObject ${template}`,
  ]);
  const [, create, policy] = requests;
  expect(create?.input).toEqual({ Bucket: own, CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } });
  expect(JSON.parse(policy?.input.Policy).Statement).toEqual([
    expect.objectContaining({
      Effect: 'Deny',
      Resource: [`arn:aws:s3:::${own}`, `arn:aws:s3:::${own}/*`],
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    }),
  ]);
  expect(said).toContain('  uploaded 1 of 2: flagwire-1.0.0/aa.zip (1 kB)');
});

test('every other request names the owner of the bucket, because anybody can create its name first', async () => {
  await upload([]);
  expect(requests.map(({ input }) => input.ExpectedBucketOwner)).toEqual(requests.map(() => place.account));
});

test('uploads only what is missing', async () => {
  await upload(['flagwire-1.0.0/aa.zip']);
  expect(asked()).toEqual(['ListObjectsV2', `PutObject ${template}`]);
});

test('us-east-1 is no constraint, and other partitions have other names', async () => {
  await upload(awsError('NoSuchBucket', 'none'), { region: 'us-east-1' });
  expect(requests[1]?.input).toEqual({ Bucket: 'flagwire-assets-123456789012-us-east-1' });
  requests.length = 0;
  const { templateUrl } = await upload([], { region: 'cn-north-1', arn: 'arn:aws-cn:iam::123456789012:user/me' });
  expect(templateUrl).toMatch(/^https:..s3.cn-north-1.amazonaws.com.cn\//);
  expect(requests[1]?.input.Policy).toContain('arn:aws-cn:s3:::');
});

test('a bucket of the user is never created or changed', async () => {
  await upload([], { bucket: 'mine' });
  expect(asked()).toEqual(['ListObjectsV2', 'PutObject flagwire-1.0.0/aa.zip', `PutObject ${template}`]);
  expect(requests[0]?.input).toEqual({ Bucket: 'mine', Prefix: 'flagwire-1.0.0/' });
  await expect(upload(awsError('NoSuchBucket', 'none'), { bucket: 'mine' })).rejects.toThrow(
    'There is no bucket mine. Create it in eu-west-1, or leave out --bucket.',
  );
});

test('a bucket that cannot be read is named, with the way out', async () => {
  await expect(upload(awsError('AccessDenied', 'no'))).rejects.toThrow(
    `The bucket ${own} cannot be used (AccessDenied: no). It must be in eu-west-1, and readable. Choose another one with --bucket.`,
  );
});
