import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { repositoryRoot } from '../repository.ts';

/** Metadata key of a function's resource for its entry file, relative to the root of the repository. */
export const entryMetadata = 'flagwire:entry';

/**
 * esbuild's options for each Lambda entry.
 *
 * - ESM builds first (`module` before `main`), because esbuild can tree-shake them.
 * - The AWS SDK is bundled: the copy on Lambda's runtime is older, larger and slower to load.
 * - The SDK's credential chain (profiles, SSO, instance metadata) is replaced by Lambda's only source, the environment.
 * - DynamoDB's client is replaced by signed requests, which take a part of its time to load.
 * - The SDK's event streams are left out: the SDK loads them on first use, and no operation here has one.
 */
export const lambdaBuild = {
  bundle: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  minify: true,
  treeShaking: true,
  mainFields: ['module', 'main'],
  external: ['@smithy/core/event-streams'],
  alias: {
    '@aws-sdk/credential-provider-node': join(repositoryRoot, 'functions/lambda/credentials.ts'),
    '@aws-sdk/client-dynamodb': join(repositoryRoot, 'functions/lambda/dynamoDb.ts'),
  },
} as const satisfies BuildOptions;
