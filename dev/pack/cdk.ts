import { cpSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { bundleHost, bundlePage } from '../../infra/bundles.ts';
import { lambdaBuild } from '../../infra/constructs/lambdaEntry.ts';
import { repositoryRoot } from '../../infra/repository.ts';
import { IN_PACKAGE, packaged, packagesIn } from './bundle.ts';
import manifest from './cdkManifest.json' with { type: 'json' };
import { REPLACED_IN_CDK } from './cdkPrebuilt.ts';
import { writeTypes } from './cdkTypes.ts';

/**
 * The oldest versions with which `npm test -- package` synthesizes the same resources as with the newest. With 2.221.0, a stage of a WebSocket
 * API has no access logs.
 */
export const OLDEST = { 'aws-cdk-lib': '2.222.0', constructs: '10.4.2' } as const;

/** Files of hosts, where their source finds them. */
const HOST_FILES = 'infra/constructs/host/files';

const common = { absWorkingDir: repositoryRoot, bundle: true, metafile: true, logLevel: 'warning' } as const;

/**
 * Makes the npm package `flagwire-cdk` in a folder: constructs in CommonJS, their types, and bundles of the functions and the host.
 *
 * @returns fields of its package.json, and the npm packages in the bundles
 */
export async function makeCdkPackage(folder: string): Promise<{ manifest: object; packages: readonly string[] }> {
  const index = join(folder, 'index.js');
  const constructs = await build({
    ...common,
    entryPoints: ['infra/index.ts'],
    outfile: index,
    inject: [join(import.meta.dirname, 'node20.ts')],
    plugins: [packaged({ replaced: REPLACED_IN_CDK, by: 'cdkPrebuilt.ts', root: '__dirname' })],
    define: { [IN_PACKAGE]: 'true' },
    external: ['aws-cdk-lib', 'constructs'],
    minifySyntax: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    mainFields: ['module', 'main'],
    legalComments: 'none',
  });
  const entries = new Set(readFileSync(index, 'utf8').match(/(?<=entry: ")functions[^"]+/g));
  const functions = await build({
    ...common,
    ...lambdaBuild,
    mainFields: [...lambdaBuild.mainFields],
    external: [...lambdaBuild.external],
    entryPoints: Object.fromEntries([...entries].map((entry) => [`${basename(entry, '.ts')}/index`, entry])),
    outdir: join(folder, 'functions'),
    outExtension: { '.js': '.mjs' },
  });
  bundlePage(join(folder, 'functions/console/page.json'));
  const host = join(folder, 'host', 'host.js');
  bundleHost(host);
  // Bun does not list what is in its bundle.
  const inHost = await build({
    ...common,
    entryPoints: ['functions/host/main.ts'],
    platform: 'node',
    format: 'esm',
    mainFields: ['module', 'main'],
    write: false,
  });
  cpSync(join(repositoryRoot, HOST_FILES), join(folder, HOST_FILES), { recursive: true });
  cpSync(join(import.meta.dirname, 'cdk.md'), join(folder, 'README.md'));
  writeTypes(folder, 'infra/index.d.ts', ['aws-cdk-lib', 'constructs']);
  const peerDependencies = { 'aws-cdk-lib': `^${OLDEST['aws-cdk-lib']}`, constructs: `^${OLDEST.constructs}` };
  const packages = packagesIn(constructs.metafile, functions.metafile, inHost.metafile);
  return { manifest: { ...manifest, peerDependencies }, packages };
}
