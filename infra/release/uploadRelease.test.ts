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

/** The SHA-256 of "code". */
const CHECKSUM = 'VpTQii5T/8rgwxA+Wtb2B2q9lg6x+KVldwQLwQKPcCs=';

let policy: object | undefined;
beforeEach(() => {
  policy = undefined;
});

/** Uploads to a bucket. @param present keys in it, or why it cannot be listed @param ChecksumSHA256 of each object in it */
function upload(
  present: readonly string[] | Error,
  target: object = {},
  ChecksumSHA256: string | undefined = CHECKSUM,
): ReturnType<typeof uploadRelease> {
  const client = new S3Client({ region: place.region });
  const answer = ({ operation }: PlayedRequest) => {
    if (operation === 'GetBucketPolicy') {
      if (!policy) throw awsError('NoSuchBucketPolicy', 'none');
      return { Policy: JSON.stringify(policy) };
    }
    if (operation === 'HeadObject') return { ChecksumSHA256 };
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
    'GetBucketPolicy',
    'PutBucketPolicy',
    'PutObject flagwire-1.0.0/aa.zip',
    `PutObject ${template}`,
  ]);
  const [, create, , put] = requests;
  expect(create?.input).toEqual({ Bucket: own, CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } });
  expect(JSON.parse(put?.input.Policy).Statement).toEqual([
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
  expect(asked()).toEqual(['ListObjectsV2', 'HeadObject flagwire-1.0.0/aa.zip', `PutObject ${template}`]);
  expect(requests[1]?.input).toMatchObject({ ChecksumMode: 'ENABLED' });
});

test.each(['other', ''])('replaces an object with another content (checksum "%s")', async (checksum) => {
  await upload(['flagwire-1.0.0/aa.zip'], {}, checksum);
  expect(asked()).toContain('PutObject flagwire-1.0.0/aa.zip');
  expect(requests[2]?.input).toMatchObject({ ChecksumSHA256: CHECKSUM });
});

test('keeps the statements of an existing bucket policy, and adds its own once', async () => {
  const theirs = { Sid: 'Theirs', Effect: 'Deny' };
  policy = { Version: '2008-10-17', Id: 'i', Statement: theirs };
  await upload([]);
  const put = requests.find(({ operation }) => operation === 'PutBucketPolicy');
  policy = JSON.parse(put?.input.Policy);
  expect(policy).toMatchObject({ Version: '2008-10-17', Id: 'i', Statement: [theirs, { Effect: 'Deny' }] });
  requests.length = 0;
  await upload([]);
  expect(asked()).not.toContain('PutBucketPolicy');
});

test('us-east-1 is no constraint', async () => {
  await upload(awsError('NoSuchBucket', 'none'), { region: 'us-east-1' });
  expect(requests[1]?.input).toEqual({ Bucket: 'flagwire-assets-123456789012-us-east-1' });
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
