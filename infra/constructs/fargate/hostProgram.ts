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

/** The folder of the program in a task. */
export const PROGRAM_DIRECTORY = '/flagwire';

/** A file of the program. */
export interface ProgramFile {
  readonly name: string;
  /** Its place in the deployment's bucket: `s3://…`. */
  readonly url: string;
  /** SHA-256 in hexadecimal digits. */
  readonly sha256: string;
}

/**
 * Adds Bun for arm64, and the host as one file. They are two assets, because most deployments change only the second, small one.
 *
 * @returns the files, and the ARNs by which they can be read
 */
export function addProgram(parent: Construct): { readonly files: readonly ProgramFile[]; readonly arns: string[] } {
  const scope = new Construct(parent, 'Program');
  const { partition } = Stack.of(scope);
  const parts = Object.entries(pathsFor(scope)).map(([name, path]) => ({
    name,
    sha256: path === STAND_IN ? '0'.repeat(64) : createHash('sha256').update(readFileSync(path)).digest('hex'),
    asset: new Asset(scope, name === 'bun' ? 'Bun' : 'Host', { path }),
  }));
  return {
    files: parts.map(({ name, sha256, asset }) => ({ name, sha256, url: asset.s3ObjectUrl })),
    arns: parts.map(({ asset }) => `arn:${partition}:s3:::${asset.s3BucketName}/${asset.s3ObjectKey}`),
  };
}

/**
 * The shell commands with which a task downloads the program. If one file is not as expected, none stays.
 *
 * @param directory target folder, which everybody can read and only root can write
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

/** Without bundling, as in tests and the local emulator, placeholders are used. */
function pathsFor(scope: Construct): Readonly<Record<'bun' | 'host.js', string>> {
  if (!Stack.of(scope).bundlingRequired) return { bun: STAND_IN, 'host.js': STAND_IN };
  const directory = join(cacheDirectory, 'host-fargate');
  mkdirSync(directory, { recursive: true });
  const host = join(directory, 'host.js');
  bundleHost(host);
  return { bun: bunBinary('linux-aarch64'), 'host.js': host };
}
