import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { repositoryRoot } from '../repository.ts';
import { lambdaBuild } from './lambdaEntry.ts';

/** A directory outside the repository: what a bundle does not contain, it does not find. */
const directory = mkdtempSync(join(tmpdir(), 'flagwire-bundle-'));

const credentials = {
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'not-a-real-key',
  AWS_SESSION_TOKEN: 'not-a-real-token',
};

afterAll(() => rmSync(directory, { recursive: true }));

describe('a bundle with AWS clients in it', () => {
  const bundle = join(directory, 'describe.mjs');
  const seen: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers);
    response.setHeader('content-type', 'application/x-amz-json-1.0').end('{"QueueUrls":["one"]}');
  });

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const contents = `
      import { SQSClient, ListQueuesCommand } from '@aws-sdk/client-sqs';
      import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
      await new DynamoDBClient({ maxAttempts: 1 }).send(new GetItemCommand({}));
      const { QueueUrls } = await new SQSClient({ maxAttempts: 1 }).send(new ListQueuesCommand({}));
      console.log(QueueUrls.join());`;
    await build({ ...lambdaBuild, stdin: { contents, resolveDir: repositoryRoot }, outfile: bundle });
  });

  afterAll(() => new Promise((resolve) => server.close(resolve)));

  test('signs its calls with the credentials of the environment', async () => {
    const { stdout } = await run(credentials);
    expect(stdout.trim()).toBe('one');
    const signedFor = (service: string) => ({
      authorization: expect.stringMatching(`^AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/\\d{8}/eu-west-1/${service}/`),
      'x-amz-security-token': 'not-a-real-token',
    });
    expect(seen).toMatchObject([signedFor('dynamodb'), signedFor('sqs')]);
  });

  test.each(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'])(
    'without %s fails and says why, without a value',
    async (name) => {
      const calls = seen.length;
      const attempt = run({ ...credentials, [name]: '' });
      await expect(attempt).rejects.toThrow(
        'No AWS credentials: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must both be set.',
      );
      await expect(attempt).rejects.not.toThrow(/not-a-real/);
      expect(seen).toHaveLength(calls);
    },
  );

  function run(environment: Record<string, string>) {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    return promisify(execFile)(process.execPath, [bundle], {
      cwd: directory,
      env: { AWS_REGION: 'eu-west-1', AWS_ENDPOINT_URL_DYNAMODB: url, AWS_ENDPOINT_URL_SQS: url, ...environment },
    });
  }
});

test.each(['connect', 'sync'])(
  'the bundle of %s, on the way of every connection, stays within 400 KB',
  async (name) => {
    const outfile = join(directory, `${name}.mjs`);
    await build({ ...lambdaBuild, entryPoints: [join(repositoryRoot, `functions/lambda/${name}.ts`)], outfile });
    expect(statSync(outfile).size).toBeLessThanOrEqual(400 * 1024);
  },
);
