import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { slicesOfOutput } from '../processor/sink.ts';
import type { RunFiles } from '../results/runFiles.ts';
import { splitProfile } from '../scenarios/parts.ts';
import { artilleryCommand, QUIET, writeScript } from './artillery.ts';
import type { Options } from './options.ts';
import { WrongArguments } from './outcome.ts';
import { type LoadSource, makeSettings } from './run.ts';

/** Files that a task may open: Fargate's maximum. */
const FILES = 65_535;

/** Files that a worker has open in addition to its connections. */
const OWN_FILES = 1_000;

/** Workers on Fargate, started by artillery's run-fargate. */
type Fleet = { readonly count: number } & Pick<
  Options,
  'region' | 'cpu' | 'memory' | 'spot' | 'subnets' | 'securityGroups'
>;

/**
 * The arguments of artillery for a run on Fargate. Its tasks may open 8,192 files by default.
 *
 * @throws {WrongArguments} if the connections exceed the files of the workers
 */
export function fargateArguments(script: string, output: string, peak: number, fleet: Fleet): string[] {
  const each = Math.ceil(peak / fleet.count);
  if (each > FILES - OWN_FILES) {
    const needed = Math.ceil(peak / (FILES - OWN_FILES));
    throw new WrongArguments(
      `${each} connections do not fit into a Fargate worker, which may open ${FILES} files. Use --fargate ${needed}.`,
    );
  }
  const ulimits = [{ name: 'nofile', softLimit: FILES, hardLimit: FILES }];
  return [
    'run-fargate',
    script,
    ...['--region', fleet.region],
    ...['--count', String(fleet.count)],
    ...['--cpu', String(fleet.cpu)],
    ...['--memory', String(fleet.memory)],
    ...['--launch-config', JSON.stringify({ ulimits })],
    ...(fleet.subnets === undefined ? [] : ['--subnet-ids', fleet.subnets]),
    ...(fleet.securityGroups === undefined ? [] : ['--security-group-ids', fleet.securityGroups]),
    ...(fleet.spot ? ['--spot'] : []),
    ...['--output', output],
  ];
}

/** Workers on Fargate. Artillery adds up their measurements. Its output is on the terminal, also that of a failure. */
export function fargateFleet(fleet: Fleet): LoadSource {
  return {
    isHere: false,
    cores: fleet.cpu,
    workers: () => fleet.count,
    load: async (run, files) => {
      const { plan } = run.facts;
      const scripts = mkdtempSync(join(tmpdir(), 'flagwire-scripts-'));
      // Each worker has its own core. Artillery gives all of them the same script.
      const [part = plan] = splitProfile(plan, fleet.count, fleet.count);
      try {
        const script = writeScript(scripts, part, makeSettings(run));
        const output = join(files.directory, 'artillery.json');
        const [command, args] = artilleryCommand(fargateArguments(script, output, plan.peak, fleet));
        const child = spawn(command, args, { env: { ...process.env, ...QUIET }, stdio: 'inherit' });
        const [code] = await once(child, 'exit');
        if (code !== 0) throw new Error(`artillery run-fargate ended with exit code ${code}. Its output is above.`);
        takeOutput(files, output);
        return {};
      } finally {
        rmSync(scripts, { recursive: true, force: true });
      }
    },
  };
}

/** Reads artillery's output into a run's slices. */
export function takeOutput(files: RunFiles, output: string): void {
  for (const slice of slicesOfOutput(JSON.parse(readFileSync(output, 'utf8'))))
    appendFileSync(join(files.slices, 'fargate.ndjson'), `${JSON.stringify(slice)}\n`);
}
