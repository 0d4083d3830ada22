import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { extract } from 'tar';
import { cacheDirectory } from '../../../test/tools/cacheDirectory.ts';

/** Node as it runs on instances: the version of package.json's development dependency. */
const NODE_VERSION = '24.21.0';

/** What an instance can be. */
type Cpu = 'x64' | 'arm64';

/** The packages that hold Node's own builds for Linux, with their digests in npm's notation. */
const INTEGRITY: Readonly<Record<Cpu, string>> = {
  x64: 'sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==',
  arm64: 'sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==',
};

/**
 * Node's program for Linux, whatever this machine is: fetched through npm once, checked against its digest, and kept.
 *
 * @returns its path
 * @throws Error when it cannot be fetched, or is not what it should be
 */
export function nodeBinary(cpu: Cpu): string {
  const directory = join(cacheDirectory, `node-${NODE_VERSION}-${cpu}`);
  const binary = join(directory, 'package', 'bin', 'node');
  if (existsSync(binary)) return binary;
  const part = `${directory}.part`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { recursive: true });
  const name = `node-linux-${cpu}@${NODE_VERSION}`;
  console.error(`fetching Node ${NODE_VERSION} for linux-${cpu} (once)`);
  const packed = execFileSync('npm', ['pack', name, '--silent', '--pack-destination', part], { encoding: 'utf8' });
  const archive = join(part, packed.trim().split('\n').at(-1) ?? '');
  const digest = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`;
  if (digest !== INTEGRITY[cpu]) throw new Error(`${name} is not what it should be: its digest is ${digest}`);
  extract({ file: archive, cwd: part, sync: true });
  rmSync(archive);
  rmSync(directory, { recursive: true, force: true });
  renameSync(part, directory);
  return binary;
}
