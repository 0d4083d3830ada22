import { createHash } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInThisContext } from 'node:vm';
import { runFolder } from '../../dev/support/testRun.ts';
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
 * The templates that `synthesizeTemplates` makes, synthesized once for all processes of a run of tests or checks.
 *
 * @returns the templates by stack name; they are the caller's to change
 */
export function synthesizedTemplates(config: Config = readConfig()): Record<string, Template> {
  const digest = createHash('sha256').update(JSON.stringify(config)).digest('hex');
  const file = join(runFolder(), `templates-${digest}`);
  if (!existsSync(file)) {
    const { synthesizeTemplates } = requireOnce('../inProcess.ts') as typeof import('../inProcess.ts');
    const part = `${file}-${process.pid}`;
    writeFileSync(part, JSON.stringify(synthesizeTemplates(config)));
    renameSync(part, file);
  }
  return JSON.parse(readFileSync(file, 'utf8'));
}
