import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { repositoryRoot } from '../../infra/repository.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { npmCommand, writeError } from '../../shared/command/npmCommand.ts';
import { userPath } from '../../shared/command/userPath.ts';
import { bundle, nameCommands } from './bundle.ts';

const { out } = npmCommand(
  'pack',
  'Makes the npm packages flagwire, flagwire-cdk and flagwire-provider, and the CloudFormation template of the release, checks them, and prints their sizes. Nothing is published.',
)
  .option('--out <directory>', 'folder for the packages', userPath, 'dist/packages')
  .addHelpText('after', '\nExit code: 0, or 1 if a package cannot be made or a check fails.')
  .parse()
  .opts<{ out: string }>();

try {
  await main(resolve(repositoryRoot, out));
} catch (error) {
  writeError(`pack: ${(error as Error).message}`);
  process.exit(1);
}

/** Contents of a package for its manifest and licences. */
interface Contents {
  /** Fields of its package.json, in addition to those that all packages have. */
  readonly manifest: object;
  /** Folders of the npm packages in its bundles, from the repository's root. */
  readonly packages: readonly string[];
}

async function main(destination: string): Promise<void> {
  checkVersion();
  // Loaded when it is needed: --help answers at once.
  const { makeCdkPackage } = await import('./cdk.ts');
  const { makeProviderPackage } = await import('./provider.ts');
  await makePackage(join(destination, 'flagwire'), makeFlagwire);
  await makePackage(join(destination, 'flagwire-cdk'), makeCdkPackage);
  await makePackage(join(destination, 'flagwire-provider'), makeProviderPackage);
}

/** Makes a package in a folder, and its tarball next to the folder. */
async function makePackage(folder: string, make: (folder: string) => Promise<Contents>): Promise<void> {
  const destination = dirname(folder);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { manifest, packages } = await make(folder);
  const { version, license, engines } = packageJson;
  // npm refuses the provenance of a package that does not name the repository of its workflow.
  const repository = process.env['GITHUB_REPOSITORY'];
  const common = {
    name: basename(folder),
    version,
    license,
    engines,
    ...(repository ? { repository: { type: 'git', url: `git+https://github.com/${repository}.git` } } : {}),
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify({ ...common, ...manifest }, null, 2)}\n`);
  writeFileSync(join(folder, 'THIRD-PARTY-LICENSES.txt'), licences(packages));
  cpSync(join(repositoryRoot, 'LICENSE'), join(folder, 'LICENSE'));
  await lint(folder);
  const packed = execFileSync(
    'npm',
    ['pack', folder, '--pack-destination', destination, '--json', '--ignore-scripts'],
    {
      encoding: 'utf8',
      // A configuration of the folder that this was started in is for other packages.
      cwd: folder,
    },
  );
  const tarball = report(destination, JSON.parse(packed));
  await checkTypes(tarball);
}

async function makeFlagwire(folder: string): Promise<Contents> {
  const { record } = await import('./record.ts');
  const functions = await record(folder);
  const { writeRelease } = await import('./releaseTemplate.ts');
  writeRelease(dirname(folder), join(folder, 'prebuilt/release'));
  const packages = await bundle(folder, functions);
  cpSync(join(import.meta.dirname, 'package.md'), join(folder, 'README.md'));
  copyDocs(join(folder, 'docs'));
  return { manifest: manifest(), packages };
}

/** The pages that messages and help texts name. */
function copyDocs(folder: string): void {
  for (const pages of ['.', 'operations']) {
    mkdirSync(join(folder, pages), { recursive: true });
    for (const name of readdirSync(join(repositoryRoot, 'docs', pages)).filter((each) => each.endsWith('.md'))) {
      const page = readFileSync(join(repositoryRoot, 'docs', pages, name), 'utf8');
      writeFileSync(join(folder, pages, name), nameCommands(page));
    }
  }
}

/** @throws Error where package.json and the changelog name different versions */
function checkVersion(): void {
  const changelog = readFileSync(join(repositoryRoot, 'CHANGELOG.md'), 'utf8');
  const [, released] = /^## \[(\d+[.]\d+[.]\d+[^\]]*)\]/m.exec(changelog) ?? [];
  if (released === packageJson.version) return;
  throw new Error(
    `package.json has version ${packageJson.version}, and the last release in CHANGELOG.md is ${released}: make them equal`,
  );
}

/** Fields of the published package.json. Packages that are not bundled have native code (dynalite's database) or are large (Bun). */
function manifest(): object {
  const { description, type, dependencies, devDependencies } = packageJson;
  return {
    description,
    type,
    keywords: ['feature-flags', 'featbit', 'openfeature', 'aws', 'dynamodb'],
    bin: { flagwire: 'lib/flagwire.js' },
    exports: { './package.json': './package.json' },
    dependencies: { dynalite: devDependencies.dynalite },
    peerDependencies: { bun: `>=${dependencies.bun}` },
    peerDependenciesMeta: { bun: { optional: true } },
  };
}

/** @throws Error with what publint has found */
async function lint(folder: string): Promise<void> {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true, pack: 'npm' });
  if (messages.length === 0) return;
  throw new Error(`publint: ${messages.map((message) => formatMessage(message, pkg, { color: false })).join('\n')}`);
}

/** @throws Error with what attw finds in the types of a package that has types */
async function checkTypes(tarball: string): Promise<void> {
  const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)));
  if (!result.types || result.problems.length === 0) return;
  throw new Error(`attw: ${result.problems.map((problem) => JSON.stringify(problem)).join('\n')}`);
}

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
}

/** Prints the path and the sizes of a tarball. @returns its path */
function report(destination: string, [packed]: readonly Packed[]): string {
  if (!packed) throw new Error('npm has packed nothing');
  const tarball = join(destination, packed.filename);
  const [size, unpacked] = [packed.size, packed.unpackedSize].map((bytes) => `${(bytes / 1_000).toFixed(0)} kB`);
  console.log(`${tarball}\n${size}, unpacked ${unpacked} without dependencies`);
  return tarball;
}

/**
 * The licences of packages that are in the bundles, each text once.
 *
 * @param folders of the packages, from the repository's root
 * @throws Error naming a package that states no licence
 */
function licences(folders: readonly string[]): string {
  const named = new Map<string, string[]>();
  for (const folder of folders) {
    const home = join(repositoryRoot, folder);
    const { name, version, license } = JSON.parse(readFileSync(join(home, 'package.json'), 'utf8'));
    const file = readdirSync(home).find((each) => /^(licen[cs]e|copying)/i.test(each));
    if (file === undefined && license === undefined) throw new Error(`${name} ${version} states no licence`);
    const text =
      file === undefined ? `${license}. The package has no text of it.` : readFileSync(join(home, file), 'utf8').trim();
    named.set(text, [...(named.get(text) ?? []), `${name} ${version}`]);
  }
  const parts = [...named].map(([text, packages]) => `${[...new Set(packages)].join('\n')}\n\n${text}\n`);
  return `Flagwire contains code of these packages:\n\n${parts.join(`\n${'-'.repeat(80)}\n\n`)}`;
}
