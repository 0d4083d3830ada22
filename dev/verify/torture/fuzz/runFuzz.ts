import { Workspace } from '../../conformance/workspace.ts';
import { openService } from '../openService.ts';
import { type PartOutcome, Problems, say } from '../part.ts';
import type { ServiceName } from '../service.ts';
import { waitUntilNoLeaks } from './leaks.ts';
import { createVisitors, type VisitorsOptions } from './visitors.ts';
import { mebibytes, startWatch } from './watch.ts';

/** Targets that strangers can reach. Behind a TCP balancer are the same hosts. */
export const FUZZED = ['host', 'gateway'] as const satisfies readonly ServiceName[];
type FuzzedName = (typeof FUZZED)[number];

/** Memory limit of the process in MiB. npm start includes tables and functions. */
const MEMORY_MIB: Readonly<Record<FuzzedName, number>> = { host: 600, gateway: 1_000 };

/** Maximum time without an answer to the probe. */
const FREEZE_MS = 5_000;

/** Sends invalid input to a service. A probe that sends only valid input must always be answered. */
export async function fuzz(target: FuzzedName, options: VisitorsOptions, signal: AbortSignal): Promise<PartOutcome> {
  const { seed } = options;
  const problems = new Problems((text) => say(`${target}: ${text} (seed ${seed})`));
  const service = await openService(target);
  const dead = new AbortController();
  let watch: ReturnType<typeof startWatch> | undefined;
  try {
    const workspace = await Workspace.create(service.target);
    const visitors = createVisitors(service, workspace, options, problems);
    const running = startWatch(
      {
        process: service.process,
        probed: { streamingUrl: service.target.streamingUrl, clientKey: workspace.clientKey, freezeMs: FREEZE_MS },
        memoryBytes: MEMORY_MIB[target] * 1024 * 1024,
      },
      (problem) => problems.add(`${problem} (open sessions: ${visitors.suspects()})`),
      () => dead.abort(),
    );
    watch = running;
    const ended = AbortSignal.any([signal, dead.signal]);
    await visitors.run(ended, running.untilInTime);
    await running.stop();
    const { probe, resident } = running.seen();
    if (probe.answered === 0) problems.add('the probe was never answered');
    const isAlive = service.process.isRunning && !signal.aborted;
    const left = isAlive ? await waitUntilNoLeaks(service, workspace) : 0;
    if (left !== 0) problems.add(`${left} connections by the service’s own count are left after all clients have left`);
    return {
      part: 'fuzz',
      target,
      seed,
      counts: {
        inputs: visitors.inputs(),
        visits: visitors.visits(),
        ...visitors.sent,
        'probe: questions': probe.asked,
        'probe: answers': probe.answered,
        'probe: slowest answer, ms': Math.round(probe.slowestMs),
        'probe: answers after more than a second': probe.late,
        'resident at first, MiB': mebibytes(resident.first),
        'resident at most, MiB': mebibytes(resident.peak),
        'resident at last, MiB': mebibytes(resident.last),
        ...(isAlive && { 'connections by the service’s own count': left }),
      },
      problems,
    };
  } finally {
    await watch?.stop();
    await service.close();
  }
}
