import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../infra/repository.ts';
import { describeCommit, describeMachine } from '../../support/machine.ts';
import type { PartResult } from './part.ts';

/** The environment of a run. */
interface RunEnvironment {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  /** Versions by the names of what they are of. */
  readonly versions: Readonly<Record<string, string>>;
  /** The commit, and whether files differ from it. */
  readonly commit: string;
  /** When it was over. */
  readonly at: string;
}

/** The content of torture.json. */
export interface Report extends RunEnvironment {
  /** The command line. */
  readonly command: string;
  readonly results: readonly PartResult[];
}

/** The environment of a run that has just ended. */
export function runEnvironment(): RunEnvironment {
  const { cpu, cores, memoryBytes } = describeMachine();
  const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));
  const runner = readFileSync(join(import.meta.dirname, 'autobahn', 'requirements.txt'), 'utf8');
  const [, kosoku = ''] = /^kosoku==(.+)$/m.exec(runner) ?? [];
  return {
    cpu,
    cores,
    memoryGiB: Math.round(memoryBytes / 1024 ** 3),
    versions: { node: process.version, ws: manifest.dependencies.ws, kosoku },
    commit: describeCommit(),
    at: new Date().toISOString(),
  };
}
