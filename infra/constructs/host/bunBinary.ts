import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { InstanceArchitecture, type InstanceType } from 'aws-cdk-lib/aws-ec2';
import { extract } from 'tar';
import { cacheDirectory } from '../../cacheDirectory.ts';

/** Version of Bun on instances: the one of package.json's dependency. */
export const BUN_VERSION = '1.4.5';

/** Bun's builds for Linux by their package names, with the packages' digests in npm's notation. */
const INTEGRITY = {
  'linux-x64': 'sha512-IWX9BELoGHAUtMonkeSaNaZwXzRk+oDw6Mk+HBFXd3KHYIBNBsIGRupMZPcgNoDbJpLu6gAJjIoIVPZtt1aJ1g==',
  'linux-x64-baseline':
    'sha512-s8yMwYcFnnrA178gji0gZbkE2WVDej/Ti1x770oPfihxyRxSMNhGhiAQNXV53aDeraZxksdvKV/RAdQBCd0qPA==',
  'linux-aarch64': 'sha512-4BXmsSKnjOrlGWqZV4x/oWa7AVoR+B6lCXddMzOAXBIm3t50eslg9wb66gmtW1AamEQ1l1CDvmmruysEhqOWMg==',
} as const;
type BunBuild = keyof typeof INTEGRITY;

/** Instance types whose processors lack AVX2: https://docs.aws.amazon.com/ec2/latest/instancetypes/pg.html. */
const WITHOUT_AVX2 = /^(t[12]|m[123]|c[13]|cc[12]|cg1|cr1|g2|hi1|hs1|i2|r3)[.]/;

/** The build for an instance type: the baseline one for a processor without AVX2. */
export function bunBuildFor(type: InstanceType): BunBuild {
  if (type.architecture === InstanceArchitecture.ARM_64) return 'linux-aarch64';
  return WITHOUT_AVX2.test(type.toString()) ? 'linux-x64-baseline' : 'linux-x64';
}

/**
 * Bun's program for Linux, on any machine. It is downloaded through npm once, checked against its digest, and kept.
 *
 * @returns its path
 * @throws Error if the download fails, or the digest differs
 */
export function bunBinary(build: BunBuild): string {
  const directory = join(cacheDirectory, `bun-${BUN_VERSION}-${build}`);
  const binary = join(directory, 'package', 'bin', 'bun');
  if (existsSync(binary)) return binary;
  const part = `${directory}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const name = `@oven/bun-${build}@${BUN_VERSION}`;
  console.error(`fetching Bun ${BUN_VERSION} for ${build} (once)`);
  const packed = execFileSync('npm', ['pack', name, '--silent', '--pack-destination', part], { encoding: 'utf8' });
  const archive = join(part, packed.trim().split('\n').at(-1) ?? '');
  const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (digest !== INTEGRITY[build]) throw new Error(`${name} is not what it should be: its digest is ${digest}`);
  extract({ file: archive, cwd: part, sync: true });
  rmSync(archive);
  rmSync(directory, { recursive: true, force: true });
  renameSync(part, directory);
  return binary;
}
