import { runInThisContext } from 'node:vm';
import { type Config, readConfig } from '../config/config.ts';
import type { Template } from '../inProcess.ts';

/**
 * Node's `require`. In a test file jest puts its own in its place, which loads modules anew for each file; this one loads
 * them once for all files of a worker.
 */
const requireOnce = (runInThisContext('process') as NodeJS.Process)
  .getBuiltinModule('node:module')
  .createRequire(import.meta.url);

/**
 * The templates that `synthesizeTemplates` makes, synthesized once for all test files of a worker, with a CDK that is
 * loaded once: jest would load all of it for each file.
 *
 * @returns the templates by stack name; they are the caller's to change
 */
export function synthesizedTemplates(config: Config = readConfig()): Record<string, Template> {
  const { synthesizeOnce } = requireOnce('./synthesize.ts') as typeof import('./synthesize.ts');
  return JSON.parse(synthesizeOnce(config));
}
