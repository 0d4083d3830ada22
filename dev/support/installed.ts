import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { alone, cacheDirectory } from '../../infra/cacheDirectory.ts';
import { repositoryRoot } from '../../infra/repository.ts';
import type { Requirement } from './requirement.ts';
import { runTool } from './tools/runTool.ts';

/** Without a network, npm fails after two minutes at most. */
const BOUNDS = ['--fetch-retries', '1', '--fetch-retry-mintimeout', '1000', '--fetch-timeout', '60000'];

/** The folders with their own package.json that `npm test` and the suites need. */
const TEST_MANIFESTS: readonly string[] = [
  'cli/testing/evaluators',
  'dev/support/tools',
  'dev/verify/checks',
  'dev/verify/conformance',
];

/**
 * Installs the packages of a folder's own manifest from its lock file, unless they are there. The first process installs,
 * the others wait. No package may run a script.
 *
 * @param folder from the repository's root
 * @throws Error when npm does not succeed
 */
export async function installManifest(folder: string, report: (line: string) => void): Promise<void> {
  const home = join(repositoryRoot, folder);
  const lock = readFileSync(join(home, 'package-lock.json'), 'utf8');
  const copy = join(home, 'node_modules', '.installed.json');
  const isInstalled = () => existsSync(copy) && readFileSync(copy, 'utf8') === lock;
  if (isInstalled()) return;
  mkdirSync(cacheDirectory, { recursive: true });
  await alone(join(cacheDirectory, `${folder.replaceAll('/', '-')}.lock`), async () => {
    if (isInstalled()) return;
    report(`installing the packages of ${folder} (once; this can take some minutes)`);
    const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel', 'error', ...BOUNDS];
    const failed = `npm could not install the packages of ${folder}; check that it reaches its registry.`;
    await runTool('npm', args, { missing: failed, failed }, { cwd: home });
    mkdirSync(join(home, 'node_modules'), { recursive: true });
    writeFileSync(copy, lock);
  });
}

/** The packages that tests and checks import besides those in the root's `package.json`. */
export const testPackages: Requirement = {
  name: 'packages',
  find: async () => {
    for (const folder of TEST_MANIFESTS) await installManifest(folder, console.error);
  },
};
