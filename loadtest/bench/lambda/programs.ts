import { join, relative } from 'node:path';
import { build } from 'esbuild';
import { lambdaBuild } from '../../../infra/constructs/lambdaEntry.ts';
import { repositoryRoot } from '../../../infra/repository.ts';
import { sumOf } from '../../../shared/statistics/sumOf.ts';

/** Functions as users write them, and our own. Each exports `handler`, and some what is repeated as `warm`. */
export const PROGRAMS = {
  https: `
    export const handler = () => new Promise((resolve, reject) => {
      const { get } = process.getBuiltinModule('node:https');
      get(process.env.AWS_ENDPOINT_URL_DYNAMODB, (response) => response.resume().on('end', resolve)).on('error', reject);
    });`,
  sdk: `
    import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
    const client = new DynamoDBClient({});
    const key = { pk: { S: 'VERSION#' + process.env.FLAGS_ENVIRONMENT + '#0' }, sk: { S: '-' } };
    export const handler = () => client.send(new GetItemCommand({ TableName: process.env.FLAGS_TABLE, Key: key }));`,
  ofrep: `
    import { OpenFeature } from '@openfeature/server-sdk';
    import { OFREPProvider } from '@openfeature/ofrep-provider';
    const headers = [['Authorization', 'Bearer key']];
    await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl: process.env.AWS_ENDPOINT_URL_DYNAMODB, headers }));
    const client = OpenFeature.getClient();
    export const handler = ({ keys: [key] }) => client.getBooleanDetails(key, false, { targetingKey: 'user-1' });`,
  provider: `
    import { OpenFeature } from '@openfeature/server-sdk';
    import { FlagwireProvider } from './provider/index.ts';
    const provider = new FlagwireProvider();
    await OpenFeature.setProviderAndWait(provider);
    const client = OpenFeature.getClient();
    const context = { targetingKey: 'user-1' };
    export const warm = {
      provider: (key) => provider.resolveBooleanEvaluation(key, false, context, console),
      client: (key) => client.getBooleanValue(key, false, context),
    };
    export const handler = ({ keys: [key] }) => warm.client(key);`,
  connect: `export { handler } from './functions/lambda/connect.ts';`,
  sync: `export { handler } from './functions/lambda/sync.ts';`,
} as const;
export type ProgramName = keyof typeof PROGRAMS;

/** OpenFeature's packages that are not the project's own. */
const PACKAGES = join(repositoryRoot, 'dev/verify/conformance/node_modules');

const { '@aws-sdk/client-dynamodb': _, ...aliasWithSdk } = lambdaBuild.alias;

/**
 * Bundles a program into a folder, with what it loads later in files of their own.
 *
 * @param usesSdk whether one of our own functions reads with the AWS SDK
 * @returns its path, and its size without what it loads later, in kB
 */
export async function bundleProgram(name: ProgramName, outdir: string, usesSdk = false) {
  const isOurs = name === 'connect' || name === 'sync';
  const { metafile } = await build({
    ...lambdaBuild,
    mainFields: [...lambdaBuild.mainFields],
    external: [...lambdaBuild.external],
    alias: isOurs ? (usesSdk ? aliasWithSdk : lambdaBuild.alias) : {},
    nodePaths: [PACKAGES],
    stdin: { contents: PROGRAMS[name], resolveDir: repositoryRoot },
    // The AWS SDK has modules of CommonJS.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    splitting: true,
    metafile: true,
    outdir,
    outExtension: { '.js': '.mjs' },
    absWorkingDir: repositoryRoot,
  });
  const path = join(outdir, 'stdin.mjs');
  const loaded = new Set([relative(repositoryRoot, path)]);
  // A set grows while it is iterated.
  for (const file of loaded) {
    for (const next of metafile.outputs[file]?.imports ?? [])
      if (next.kind === 'import-statement' && !next.external) loaded.add(next.path);
  }
  const bytes = sumOf([...loaded], (file) => metafile.outputs[file]?.bytes ?? 0);
  return { path, bundleKb: bytes / 1_000 };
}
