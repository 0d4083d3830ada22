import { execFileSync } from 'node:child_process';
import { programOf, type Runtime } from '../../../../infra/hostRuntime.ts';

/** A runtime with its version, such as `Bun 1.4.5`. */
export function describeRuntime(runtime: Runtime): string {
  const version = execFileSync(programOf(runtime), ['--version'], { encoding: 'utf8' }).trim().replace(/^v/, '');
  return `${runtime === 'bun' ? 'Bun' : 'Node'} ${version}`;
}
