import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repositoryRoot } from '../../../infra/repository.ts';
import type { Testbed } from '../../testbed/testbed.ts';
import { type Result, round } from './result.ts';

const LOAD = { concurrency: 128, held: 17_000, warmUpMs: 4_000, measureMs: 5_000 };
const TOP = 15;

/** The parts of a .cpuprofile that are read here. */
interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { functionName: string; url: string; lineNumber: number };
  }[];
  readonly samples: readonly number[];
  /** Microseconds. */
  readonly timeDeltas: readonly number[];
}

/** What the host does at saturation, as V8 sees it; the profile is kept in `folder`. */
export async function measureProfile(testbed: Testbed, folder: string): Promise<Result> {
  process.stderr.write('… profile: the host at saturation\n');
  const directory = join(folder, 'profile');
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const flags = ['--cpu-prof', `--cpu-prof-dir=${directory}`];
  await testbed.withServer(
    'host on Node',
    ({ target }) =>
      testbed.withGenerators(target, 1, async ([generator]) => void (await generator?.ask('saturate', LOAD))),
    flags,
  );
  const [written] = readdirSync(directory);
  if (!written) throw new Error('the host wrote no profile');
  const profile = withoutRoot(readFileSync(join(directory, written), 'utf8'), repositoryRoot);
  writeFileSync(join(folder, 'host.cpuprofile'), profile);
  rmSync(directory, { recursive: true });
  const shares = selfShares(JSON.parse(profile));
  return {
    title: 'What the host does at saturation, on Node',
    head: ['share', 'function', 'where'],
    rows: shares.slice(0, TOP).map(({ share, name, where }) => [`${round(share * 100)} %`, name, where]),
    bounds: [],
    invalid: [],
    notes: [
      'Shares of the time that was not idle. The whole profile: host.cpuprofile beside this page, for Chrome’s developer tools.',
    ],
    charts: [],
  };
}

/** A .cpuprofile whose files are named from the project's root: where that lies is nobody's business. */
export function withoutRoot(profile: string, root: string): string {
  return profile.replaceAll(`"${pathToFileURL(root)}/`, '"file:///');
}

/** Time in each function itself, as shares of all that was not idle, the largest first. */
export function selfShares({
  nodes,
  samples,
  timeDeltas,
}: CpuProfile): { share: number; name: string; where: string }[] {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const file = url.split('/').slice(-2).join('/');
      return [id, JSON.stringify([functionName || '(anonymous)', file && `${file}:${lineNumber + 1}`])];
    }),
  );
  const times = new Map<string, number>();
  for (const [i, id] of samples.entries()) {
    const name = names.get(id) ?? '';
    if (!name.startsWith('["(idle)"')) times.set(name, (times.get(name) ?? 0) + (timeDeltas[i] ?? 0));
  }
  const total = [...times.values()].reduce((sum, time) => sum + time, 0);
  return [...times]
    .sort((a, b) => b[1] - a[1])
    .map(([key, time]) => {
      const [name, where] = JSON.parse(key);
      return { share: time / total, name, where };
    });
}
