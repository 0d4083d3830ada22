import { type ChildProcess, spawn } from 'node:child_process';
import { cpSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildSync } from 'esbuild';
import { parse } from 'yaml';
import { hasTaskset } from '../../dev/support/machine.ts';
import type { LoadProfile, Phase } from '../scenarios/loadProfile.ts';
import type { Settings } from '../scenarios/settings.ts';

const sources = join(import.meta.dirname, '..');

/** The folder with artillery's own manifest. It is large, and its packages must not replace ours. */
const home = join(sources, 'artillery');

/** Turns off artillery's telemetry, and its download of a browser. */
export const QUIET = { ARTILLERY_DISABLE_TELEMETRY: 'true', PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD: '1' };

/** The pinned version of artillery. */
export function artilleryVersion(): string {
  return JSON.parse(readFileSync(join(home, 'package.json'), 'utf8')).dependencies.artillery;
}

/** The command line that starts artillery under the project's own Node. */
export function artilleryCommand(args: readonly string[]): [string, string[]] {
  return [process.execPath, [join(home, 'node_modules', 'artillery', 'bin', 'run'), ...args]];
}

/**
 * Writes the files of an artillery process to a folder: the plan's script with other phases and variables, and the processor as one file.
 *
 * @returns the script's path
 */
export function writeScript(directory: string, plan: LoadProfile, settings: Settings): string {
  buildSync({
    entryPoints: [join(sources, 'processor', 'main.ts')],
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'esm',
    outfile: join(directory, 'processor.mjs'),
    define: { SETTINGS: JSON.stringify(settings) },
    logLevel: 'warning',
  });
  const stations = join('scenarios', 'stations.csv');
  cpSync(join(sources, stations), join(directory, stations));
  const { config, scenarios } = parse(readFileSync(join(sources, `${plan.script}.yml`), 'utf8'));
  const changed = {
    target: settings.urls[0],
    phases: plan.phases.map(inMilliseconds),
    variables: { ...plan.variables, end: plan.durationS },
    processor: './processor.mjs',
  };
  const path = join(directory, 'script.json');
  writeFileSync(path, `${JSON.stringify({ config: { ...config, ...changed }, scenarios }, null, 2)}\n`);
  return path;
}

/** Artillery accepts whole seconds, or a text with a unit. */
function inMilliseconds(phase: Phase): object {
  const text = (seconds: number) => `${Math.round(seconds * 1_000)}ms`;
  return 'pause' in phase ? { ...phase, pause: text(phase.pause) } : { ...phase, duration: text(phase.duration) };
}

/** Starts artillery, with its output in a file. It ignores signals of the terminal: the caller must end it. */
export function startArtillery(
  script: string,
  log: string,
  env: Readonly<Record<string, string>>,
  core?: number,
): ChildProcess {
  const [node, args] = artilleryCommand(['run', '--quiet', script]);
  const [command, rest] =
    core === undefined || !hasTaskset() ? [node, args] : ['taskset', ['-c', String(core), node, ...args]];
  const output = openSync(log, 'a');
  return spawn(command, rest, {
    env: { ...process.env, ...QUIET, ...env },
    stdio: ['ignore', output, output],
    detached: true,
  });
}
