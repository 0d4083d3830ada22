import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AssetManifestArtifact, type CloudAssembly } from 'aws-cdk-lib/cx-api';
import { type Zippable, zipSync } from 'fflate';
import { withApp } from '../../infra/inProcess.ts';
import { ReleaseStack } from '../../infra/release/releaseStack.ts';
import { cdkContext } from '../../infra/repository.ts';
import packageJson from '../../package.json' with { type: 'json' };

/** Equal in all archives, so that the same sources give the same bytes. The oldest time that an archive can have. */
const TIME = { mtime: new Date(1980, 0, 1), os: 3, attrs: 0o644 << 16 };

/** Synthesizes the CloudFormation template of a release, and bundles the files that it refers to, by object key. */
export function makeReleaseTemplate() {
  return withApp(
    (app) => new ReleaseStack(app),
    ({ assembly }) => ({
      template: JSON.stringify(assembly.stacks[0]?.template),
      assets: Object.fromEntries(assetsOf(assembly)),
    }),
    // Unlike the other templates in this process, with bundles.
    cdkContext(),
  );
}

/** Files of an assembly by object key, except the template. */
function assetsOf({ artifacts, directory }: CloudAssembly): (readonly [key: string, bytes: Uint8Array])[] {
  const manifests = artifacts.filter((each) => AssetManifestArtifact.isAssetManifestArtifact(each));
  const files = manifests.flatMap(({ contents }) => Object.values(contents.files ?? {}));
  return files
    .filter(({ source }) => source.packaging === 'zip')
    .flatMap(({ source: { path = '' }, destinations }) => {
      const folder = join(directory, path);
      const names = readdirSync(folder).sort();
      const bytes = zip(Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))])));
      return Object.values(destinations).map(({ objectKey }) => [objectKey, bytes] as const);
    });
}

/** @param level of compression */
function zip(files: Readonly<Record<string, Uint8Array>>, level: 0 | 9 = 9): Uint8Array {
  const entries: Zippable = Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, [bytes, { ...TIME, level }]]),
  );
  return zipSync(entries);
}

/**
 * Writes template and archive of the release to a folder, and the same files to the npm package.
 *
 * @param home folder in the package
 */
export function writeRelease(destination: string, home: string): void {
  const { template, assets } = makeReleaseTemplate();
  const name = join(destination, `flagwire-${packageJson.version}`);
  writeFileSync(`${name}-template.json`, template);
  writeFileSync(`${name}-assets.zip`, zip(assets, 0));
  for (const [file, bytes] of [...Object.entries(assets), ['template.json', template] as const]) {
    const path = join(home, file);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  console.log(`${name}-template.json\n${name}-assets.zip`);
}
