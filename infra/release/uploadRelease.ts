import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BucketLocationConstraint,
  CreateBucketCommand,
  GetBucketPolicyCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutBucketPolicyCommand,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3';

/** The id of the statement in the bucket's policy that refuses requests without TLS. */
const TLS_SID = 'FlagwireRequiresTls';

/** The destination of a release. */
export interface AssetsPlace {
  readonly account: string;
  readonly region: string;
  /** @default `flagwire-assets-<account>-<region>`, which is created */
  readonly bucket?: string | undefined;
}

/** A release on this machine: `template.json`, and assets by their object keys. */
export interface ReleaseFolder {
  readonly path: string;
  readonly version: string;
}

/**
 * Uploads the files that the bucket lacks. An object counts only if S3 has the SHA-256 of its content, because others may be able to write
 * to the bucket.
 *
 * @returns the bucket, and the URL of the template for CloudFormation
 * @throws Error if the bucket cannot be used
 */
export async function uploadRelease(
  s3: S3Client,
  { path, version }: ReleaseFolder,
  place: AssetsPlace,
  say: (line: string) => void,
): Promise<{ readonly bucket: string; readonly templateUrl: string }> {
  const { account, region, bucket = `flagwire-assets-${account}-${region}` } = place;
  // Anybody can create a bucket of the default name first.
  const target = { Bucket: bucket, ...(place.bucket === undefined && { ExpectedBucketOwner: account }) };
  const prefix = `flagwire-${version}/`;
  const present = await listKeys(s3, target, prefix, region);
  if (present === undefined) {
    if (place.bucket !== undefined)
      throw new Error(`There is no bucket ${bucket}. Create it in ${region}, or leave out --bucket.`);
    say(`Creates the bucket ${bucket}.`);
    await createBucket(s3, bucket, region);
  }
  // Again before the first upload of each release: an earlier command may have stopped before.
  if (place.bucket === undefined && !present?.size) await requireTls(s3, target);

  const template = readFileSync(join(path, 'template.json'));
  const hash = createHash('sha256').update(template).digest('hex');
  const templateKey = `${prefix}template-${hash.slice(0, 16)}.json`;
  const wanted = [...readdirSync(join(path, prefix)).map((name) => prefix + name), templateKey];
  for (const [index, Key] of wanted.entries()) {
    const Body = Key === templateKey ? template : readFileSync(join(path, Key));
    const ChecksumSHA256 = createHash('sha256').update(Body).digest('base64');
    if (present?.has(Key) && (await readChecksum(s3, { ...target, Key })) === ChecksumSHA256) continue;
    await s3.send(new PutObjectCommand({ ...target, Key, Body, ChecksumSHA256 }));
    say(`  uploaded ${index + 1} of ${wanted.length}: ${Key} (${Math.ceil(Body.length / 1_000)} kB)`);
  }
  return { bucket, templateUrl: `https://s3.${region}.amazonaws.com/${bucket}/${templateKey}` };
}

type Target = { readonly Bucket: string; readonly ExpectedBucketOwner?: string };

/** @returns undefined if there is no such bucket */
async function listKeys(
  s3: S3Client,
  target: Target,
  Prefix: string,
  region: string,
): Promise<ReadonlySet<string> | undefined> {
  try {
    const { Contents = [] } = await s3.send(new ListObjectsV2Command({ ...target, Prefix }));
    return new Set(Contents.map(({ Key = '' }) => Key));
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'NoSuchBucket') return undefined;
    throw new Error(
      `The bucket ${target.Bucket} cannot be used (${name}: ${message}). It must be in ${region}, and readable. Choose another one with --bucket.`,
    );
  }
}

/** @returns the SHA-256 that S3 computed at the upload, in base64. Undefined if it has none, or if the object cannot be read */
async function readChecksum(s3: S3Client, object: Target & { readonly Key: string }): Promise<string | undefined> {
  const head = new HeadObjectCommand({ ...object, ChecksumMode: 'ENABLED' });
  return (await s3.send(head).catch(() => undefined))?.ChecksumSHA256;
}

/** Creates a bucket. By default, S3 encrypts its objects, and refuses public access. */
async function createBucket(s3: S3Client, Bucket: string, region: string): Promise<void> {
  const LocationConstraint = region as BucketLocationConstraint;
  // S3 refuses the name of this one region.
  const place = region === 'us-east-1' ? {} : { CreateBucketConfiguration: { LocationConstraint } };
  await s3.send(new CreateBucketCommand({ Bucket, ...place }));
}

/** Adds a statement to the policy of a bucket. An administrator may have added others. */
async function requireTls(s3: S3Client, target: Target): Promise<void> {
  const { Policy } = await s3.send(new GetBucketPolicyCommand(target)).catch((error: Error) => {
    if (error.name === 'NoSuchBucketPolicy') return { Policy: undefined };
    throw error;
  });
  const policy = JSON.parse(Policy ?? '{ "Version": "2012-10-17", "Statement": [] }');
  const statements: readonly { readonly Sid?: string }[] = [policy.Statement].flat();
  if (statements.some(({ Sid }) => Sid === TLS_SID)) return;
  const arn = `arn:aws:s3:::${target.Bucket}`;
  const deny = { Sid: TLS_SID, Effect: 'Deny', Principal: '*', Action: 's3:*', Resource: [arn, `${arn}/*`] };
  const Statement = [...statements, { ...deny, Condition: { Bool: { 'aws:SecureTransport': 'false' } } }];
  await s3.send(new PutBucketPolicyCommand({ ...target, Policy: JSON.stringify({ ...policy, Statement }) }));
}
