import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildOptions, build } from 'esbuild';
import { repositoryRoot } from '../../infra/repository.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { packagesIn } from './bundle.ts';
import { writeTypes } from './cdkTypes.ts';
import manifest from './providerManifest.json' with { type: 'json' };

const PEER = '@openfeature/server-sdk';

/** The credentials of AWS's profiles, which the provider loads if they are installed. */
const OPTIONAL_PEER = '@aws-sdk/credential-provider-node';

const options: BuildOptions = {
  absWorkingDir: repositoryRoot,
  entryPoints: { index: 'provider/index.ts' },
  bundle: true,
  external: [PEER],
  platform: 'node',
  target: 'node20.19',
  mainFields: ['module', 'main'],
  minify: true,
  metafile: true,
  legalComments: 'none',
  logLevel: 'warning',
};

/** The package as an ES module. The engine of regular expressions is a file of its own, which is loaded when a flag needs it. */
export const buildProviderModule = (outdir: string) =>
  build({ ...options, metafile: true, outdir, format: 'esm', splitting: true });

/**
 * Makes the npm package `flagwire-provider` in a folder: the provider as an ES module and as CommonJS, and its types.
 *
 * @returns fields of its package.json, and the npm packages in the bundles
 */
export async function makeProviderPackage(folder: string): Promise<{ manifest: object; packages: readonly string[] }> {
  const { metafile } = await buildProviderModule(folder);
  await build({ ...options, outfile: join(folder, 'index.cjs'), format: 'cjs', entryPoints: ['provider/index.ts'] });
  cpSync(join(import.meta.dirname, 'provider.md'), join(folder, 'README.md'));
  writeTypes(folder, 'provider/index.d.ts', [PEER], 'ts');
  writeTypes(folder, 'provider/index.d.ts', [PEER], 'cts');
  const peerDependencies = { [PEER]: `^${packageJson.devDependencies[PEER]}`, [OPTIONAL_PEER]: '^3' };
  return { manifest: { ...manifest, peerDependencies }, packages: packagesIn(metafile) };
}
