import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Asset } from 'aws-cdk-lib/aws-s3-assets';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { bundleHost } from '../../bundles.ts';
import { cacheDirectory } from '../../cacheDirectory.ts';
import { repositoryRoot } from '../../repository.ts';
import { bunBinary } from '../host/bunBinary.ts';

/** Where a task keeps the program. */
export const PROGRAM_DIRECTORY = '/flagwire';

/** A file of the program as tasks fetch it. */
export interface ProgramFile {
  readonly name: string;
  /** Where it is in the deployment's bucket: `s3://…`. */
  readonly url: string;
  /** SHA-256 in hexadecimal digits. */
  readonly sha256: string;
}

/** Bun for arm64, and the host as one file: two assets, as most deployments change only the second, which is small. */
export class HostProgram extends Construct {
  readonly files: readonly ProgramFile[];
  /** What may be read to have them. */
  readonly arns: readonly string[];

  constructor(scope: Construct, id: string) {
    super(scope, id);
    const { partition } = Stack.of(this);
    const parts = Object.entries(pathsFor(this)).map(([name, path]) => ({
      name,
      sha256: path === STAND_IN ? '0'.repeat(64) : createHash('sha256').update(readFileSync(path)).digest('hex'),
      asset: new Asset(this, name === 'bun' ? 'Bun' : 'Host', { path }),
    }));
    this.files = parts.map(({ name, sha256, asset }) => ({ name, sha256, url: asset.s3ObjectUrl }));
    this.arns = parts.map(({ asset }) => `arn:${partition}:s3:::${asset.s3BucketName}/${asset.s3ObjectKey}`);
  }
}

/**
 * The shell commands by which a task fetches the program: nothing of it is left where one file is not what it should be.
 *
 * @param directory where it goes, and is read by everybody and written by nobody but root
 */
export function fetchCommands(files: readonly ProgramFile[], directory = PROGRAM_DIRECTORY): string {
  return [
    'set -eu',
    `cd ${directory}`,
    ...files.map(({ url, name }) => `aws s3 cp --only-show-errors ${url} ${name}`),
    `if ! sha256sum --check --strict <<'END'`,
    ...files.map(({ sha256, name }) => `${sha256}  ${name}`),
    'END',
    `then rm ${files.map(({ name }) => name).join(' ')}; exit 1; fi`,
    `chmod 0555 ${files.map(({ name }) => name).join(' ')}`,
  ].join('\n');
}

const STAND_IN = join(repositoryRoot, 'package.json');

/** Without bundling, as tests and the local emulator synthesize, placeholders are used. */
function pathsFor(scope: Construct): Readonly<Record<'bun' | 'host.js', string>> {
  if (!Stack.of(scope).bundlingRequired) return { bun: STAND_IN, 'host.js': STAND_IN };
  const directory = join(cacheDirectory, 'host-fargate');
  mkdirSync(directory, { recursive: true });
  const host = join(directory, 'host.js');
  bundleHost(host);
  return { bun: bunBinary('linux-aarch64'), 'host.js': host };
}
