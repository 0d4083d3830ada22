import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { repositoryRoot } from '../../infra/repository.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { npmCommand } from '../../shared/command/npmCommand.ts';
import { userPath } from '../../shared/command/userPath.ts';
import { bundle, nameCommands } from './bundle.ts';
import { licences } from './licences.ts';

const { out } = npmCommand(
  'pack',
  'Makes the npm package flagwire, checks it, and prints its sizes. Nothing is published.',
)
  .option('--out <directory>', 'folder for the package', userPath, 'dist/packages')
  .addHelpText('after', '\nExit code: 0, or 1 if the package cannot be made or a check fails.')
  .parse()
  .opts<{ out: string }>();

try {
  await main(resolve(repositoryRoot, out));
} catch (error) {
  console.error(`pack: ${(error as Error).message}`);
  process.exit(1);
}

async function main(destination: string): Promise<void> {
  checkVersion();
  // Loaded when it is needed: --help answers at once.
  const { record } = await import('./record.ts');
  const folder = join(destination, 'flagwire');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const functions = await record(folder);
  const { writeRelease } = await import('./releaseTemplate.ts');
  writeRelease(destination, join(folder, 'prebuilt/release'));
  const packages = await bundle(folder, functions);
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  write('package.json', `${JSON.stringify(manifest(), null, 2)}\n`);
  write('THIRD-PARTY-LICENSES.txt', licences(packages));
  cpSync(join(repositoryRoot, 'LICENSE'), join(folder, 'LICENSE'));
  cpSync(join(import.meta.dirname, 'package.md'), join(folder, 'README.md'));
  copyDocs(join(folder, 'docs'));
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
  report(destination, JSON.parse(packed));
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

/** The published package.json. What is not bundled has native code (dynalite's database), or is large (Bun). */
function manifest(): object {
  const { name, version, description, license, type, engines, dependencies, devDependencies } = packageJson;
  // npm refuses the provenance of a package that does not name the repository of its workflow.
  const repository = process.env['GITHUB_REPOSITORY'];
  return {
    ...{ name, version, description, license, type, engines },
    ...(repository ? { repository: { type: 'git', url: `git+https://github.com/${repository}.git` } } : {}),
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

interface Packed {
  readonly filename: string;
  readonly size: number;
  readonly unpackedSize: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

function report(destination: string, [packed]: readonly Packed[]): void {
  if (!packed) throw new Error('npm has packed nothing');
  const sizes = new Map<string, number>();
  for (const { path, size } of packed.files) {
    const [top = path] = path.split('/');
    sizes.set(top, (sizes.get(top) ?? 0) + size);
  }
  const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(0)} kB`.padStart(9);
  for (const [top, size] of sizes) console.log(`${kilobytes(size)}  ${top}`);
  console.log(`${kilobytes(packed.unpackedSize)}  unpacked, without dependencies\n${kilobytes(packed.size)}  packed\n`);
  console.log(join(destination, packed.filename));
}
