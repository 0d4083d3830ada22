import { Workspace } from '../../conformance/workspace.ts';
import { openService } from '../openService.ts';
import { type PartOutcome, Problems } from '../part.ts';
import type { Progress } from '../progress.ts';
import type { ServiceName } from '../service.ts';
import { waitUntilNoLeaks } from './leaks.ts';
import { Visitors, type VisitorsOptions } from './visitors.ts';
import { mebibytes, Watch, type WatchReport } from './watch.ts';

/** Targets that strangers can reach. Behind a TCP balancer are the same hosts. */
export const FUZZED = ['host', 'gateway'] as const satisfies readonly ServiceName[];
type FuzzedName = (typeof FUZZED)[number];

/** Memory limit of the process in MiB. npm start includes tables and functions. */
const MEMORY_MIB: Readonly<Record<FuzzedName, number>> = { host: 600, gateway: 1_000 };

/** Maximum time without an answer to the probe. */
const FREEZE_MS = 5_000;

/** Sends invalid input to a service. A probe that sends only valid input must always be answered. */
export async function fuzz(
  target: FuzzedName,
  options: VisitorsOptions,
  progress: Progress,
  signal: AbortSignal,
): Promise<PartOutcome> {
  const { seed, inputs } = options;
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
      memoryBytes: MEMORY_MIB[target] * 1024 * 1024,
    };
    const report = (problem: string) => problems.add(`${problem} (open sessions: ${visitors.suspects})`);
    const running = new Watch(watched, report, () => dead.abort());
    watch = running;
    const show = () =>
      progress.show(
        () =>
          `fuzz ${target}: ${visitors.inputs} of ${inputs} inputs, ${describe(running.seen())}, ${problems.count} problems`,
      );
    await visitors.run(AbortSignal.any([signal, dead.signal]), () => running.untilInTime(), show);
    await watch.stop();
    const { probe, resident } = watch.seen();
    if (probe.answered === 0) problems.add('the probe was never answered');
    const left = service.process.isRunning && !signal.aborted ? await waitUntilNoLeaks(service, workspace) : {};
    for (const [what, count] of Object.entries(left)) {
      if (count > 0) problems.add(`${count} ${what} are left after all clients have left`);
    }
    return {
      part: 'fuzz',
      target,
      seed,
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
      problems,
    };
  } finally {
    await watch?.stop();
    await service.close();
  }
}

function describe({ probe, resident }: WatchReport): string {
  return `slowest answer to the probe ${Math.round(probe.slowestMs)} ms, ${mebibytes(resident.last)} MiB`;
}
