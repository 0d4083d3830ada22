import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../infra/repository.ts';

/**
 * The licences of packages that are in the bundles, each text once.
 *
 * @param folders of the packages, from the repository's root
 * @throws Error naming a package that states no licence
 */
export function licences(folders: readonly string[]): string {
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
