import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../../cdk/constructs/bundling.ts';

/** Where a run was made, and of what. */
export interface Circumstances {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  /** Versions by the names of what they are of. */
  readonly versions: Readonly<Record<string, string>>;
  /** The commit, with `, changed` behind it where files differ from it. */
  readonly commit: string;
  /** When it was over. */
  readonly at: string;
}

/** The circumstances of a run that has just ended. */
export function circumstances(): Circumstances {
  const all = cpus();
  const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));
  const runner = readFileSync(join(import.meta.dirname, 'autobahn', 'requirements.txt'), 'utf8');
  const [, kosoku = ''] = /^kosoku==(.+)$/m.exec(runner) ?? [];
  return {
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGiB: Math.round(totalmem() / 1024 ** 3),
    versions: { node: process.version, ws: manifest.dependencies.ws, kosoku },
    commit: commit(),
    at: new Date().toISOString(),
  };
}

function commit(): string {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' }).trim();
  try {
    const isChanged = git('status', '--porcelain', '--untracked-files=no') !== '';
    return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ', changed' : ''}`;
  } catch {
    return 'unknown';
  }
}
