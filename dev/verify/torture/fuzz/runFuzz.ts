import { Workspace } from '../../conformance/workspace.ts';
import { openService } from '../openService.ts';
import { type PartResult, Problems } from '../part.ts';
import type { Progress } from '../progress.ts';
import type { ServiceName } from '../service.ts';
import { waitUntilNoLeaks } from './leaks.ts';
import { Visitors, type VisitorsOptions } from './visitors.ts';
import { mebibytes, Watch, type WatchReport } from './watch.ts';

/** What strangers can send to: behind a balancer of TCP it is the same hosts. */
export const FUZZED = ['host', 'gateway'] as const satisfies readonly ServiceName[];
type FuzzedName = (typeof FUZZED)[number];

/** What a run is asked for. */
export interface FuzzOptions extends VisitorsOptions {
  /** What the process may take, in MiB. */
  readonly memory: Readonly<Record<FuzzedName, number>>;
}

/** How long the probe may be without an answer. */
const FREEZE_MS = 5_000;

/** Sends a service what it does not expect, while a probe that does nothing wrong must be answered throughout. */
export async function fuzz(
  target: FuzzedName,
  options: FuzzOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<PartResult> {
  const { seed, inputs } = options;
  const startedAt = performance.now();
  const problems = new Problems((text) => progress.say(`${target}: ${text} (seed ${seed})`));
  const service = await openService(target);
  const dead = new AbortController();
  let watch: Watch | undefined;
  try {
    const workspace = await Workspace.create(service.target);
    const visitors = new Visitors(service, workspace, options, problems);
    const { streamingUrl } = service.target;
    const { clientKey } = workspace;
    const watched = {
      process: service.process,
      probed: { streamingUrl, clientKey, freezeMs: FREEZE_MS },
      memoryBytes: options.memory[target] * 1024 * 1024,
    };
    const report = (problem: string) => problems.add(`${problem} (open sessions: ${visitors.suspects})`);
    watch = new Watch(watched, report, () => dead.abort());
    const guard = watch;
    const show = () =>
      progress.show(
        () =>
          `fuzz ${target}: ${visitors.inputs} of ${inputs} inputs, ${describe(guard.seen())}, ${problems.count} problems`,
      );
    await visitors.run(AbortSignal.any([signal, dead.signal]), () => guard.untilInTime(), show);
    await watch.stop();
    const { probe, resident } = watch.seen();
    if (probe.answered === 0) problems.add('the probe was never answered');
    const left = service.process.isRunning && !signal.aborted ? await waitUntilNoLeaks(service, workspace) : {};
    for (const [what, count] of Object.entries(left)) {
      if (count > 0) problems.add(`${count} ${what} are left when all have gone`);
    }
    return {
      part: 'fuzz',
      target,
      seed,
      seconds: (performance.now() - startedAt) / 1_000,
      counts: {
        inputs: visitors.inputs,
        visits: visitors.visits,
        ...visitors.sent,
        'probe: questions': probe.asked,
        'probe: answers': probe.answered,
        'probe: slowest answer, ms': Math.round(probe.slowestMs),
        'probe: answers after more than a second': probe.late,
        'resident at first, MiB': mebibytes(resident.first),
        'resident at most, MiB': mebibytes(resident.peak),
        'resident at last, MiB': mebibytes(resident.last),
        ...left,
      },
      problems: problems.count,
      examples: problems.examples,
    };
  } finally {
    await watch?.stop();
    await service.close();
  }
}

function describe({ probe, resident }: WatchReport): string {
  return `slowest answer to the probe ${Math.round(probe.slowestMs)} ms, ${mebibytes(resident.last)} MiB`;
}
