import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { build } from 'esbuild';
import { entryMetadata, lambdaBuild } from '../../../infra/constructs/lambdaEntry.ts';
import type { Template } from '../../../infra/inProcess.ts';
import { repositoryRoot } from '../../../infra/repository.ts';

/** A function of the stacks, bundled as it is deployed. */
export interface FunctionBundle {
  /** Its entry file, from the repository's root. */
  readonly entry: string;
  /** Where the bundle is. */
  readonly path: string;
  /** The environment variables whose values are in the template. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The environment that a bundle is loaded in: where functions read and send. */
export function bundleEnvironment(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: 'none',
    AWS_SECRET_ACCESS_KEY: 'none',
    FLAGS_TABLE: 'Flags',
    CONNECTIONS_TABLE: 'Connections',
    CONNECTIONS_ENDPOINT: 'https://example.com',
    INSIGHT_STREAM: 'Insight',
    PUSH_QUEUE_URL: 'https://example.com/push',
    UNDELIVERED_QUEUE_URL: 'https://example.com/undelivered',
    GROUPS_PER_ENVIRONMENT: '3',
    POSTS_PER_SECOND: '1000',
    REVOCATION_QUEUE_URL: 'https://example.com/revocations',
  };
}

/** Bundles every function of the templates into a temporary directory, calls `use`, and clears up. */
export async function withBundles<T>(
  templates: Readonly<Record<string, Template>>,
  use: (bundles: readonly FunctionBundle[]) => T | Promise<T>,
): Promise<T> {
  const outdir = mkdtempSync(join(tmpdir(), 'flagwire-bundles-'));
  try {
    return await use(await Promise.all([...functionsOf(templates)].map((each) => bundle(...each, outdir))));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** The functions by entry, with the environment variables whose values are in the template. */
function functionsOf(templates: Readonly<Record<string, Template>>): Map<string, FunctionBundle['environment']> {
  const found = new Map<string, FunctionBundle['environment']>();
  for (const { Metadata, Properties } of Object.values(templates).flatMap(({ Resources }) =>
    Object.values(Resources),
  )) {
    const entry = Metadata?.[entryMetadata];
    if (typeof entry !== 'string') continue;
    const { Variables = {} } = (Properties?.['Environment'] ?? {}) as { Variables?: Record<string, unknown> };
    const known = Object.entries(Variables).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
    found.set(entry, Object.fromEntries(known));
  }
  return found;
}

async function bundle(
  entry: string,
  environment: FunctionBundle['environment'],
  outdir: string,
): Promise<FunctionBundle> {
  const path = join(outdir, basename(dirname(entry)), `${basename(entry, '.ts')}.mjs`);
  await build({
    ...lambdaBuild,
    mainFields: [...lambdaBuild.mainFields],
    entryPoints: [join(repositoryRoot, entry)],
    outfile: path,
    logLevel: 'error',
  });
  return { entry, environment, path };
}
