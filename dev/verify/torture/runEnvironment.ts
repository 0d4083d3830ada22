import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../infra/repository.ts';
import { describeCommit, describeMachine } from '../../support/machine.ts';
import type { PartResult } from './part.ts';

/** The machine, the versions, the commit (marked if files differ from it) and the end time of a run. */
export function runEnvironment() {
  const { cpu, cores, memoryBytes } = describeMachine();
  const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));
  return {
    cpu,
    cores,
    memoryGiB: Math.round(memoryBytes / 1024 ** 3),
    versions: { node: process.version, ws: manifest.dependencies.ws },
    commit: describeCommit(),
    at: new Date().toISOString(),
  };
}

/** The content of torture.json. */
export interface Report extends ReturnType<typeof runEnvironment> {
  /** The command line. */
  readonly command: string;
  readonly results: readonly PartResult[];
}
