import { join } from 'node:path';
import type { BuildOptions } from 'esbuild';
import { repositoryRoot } from '../repository.ts';

/** Metadata key under which a function's resource names its entry file, from the repository's root. */
export const entryMetadata = 'flagwire:entry';

/**
 * How every Lambda entry is bundled, as esbuild's build options: the benchmark of bundles uses them too.
 *
 * - ESM builds first (`module` before `main`): they tree-shake, the CommonJS ones do not.
 * - The AWS SDK is bundled: the copy on Lambda's runtime is older, unpruned and slower to load.
 * - The SDK's credential chain (profiles, SSO, instance metadata) is replaced by the one source Lambda has, the environment.
 * - Its cache of discovered endpoints is replaced by an empty one: nothing of ours discovers endpoints.
 * - The SDK's event streams stay out: it loads them on first use, and no operation of ours has one.
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
    '@aws-sdk/endpoint-cache': join(repositoryRoot, 'functions/lambda/endpointCache.ts'),
  },
} as const satisfies BuildOptions;
