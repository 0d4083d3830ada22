import { findMax } from '../runner/findMax.ts';
import { BASE_CPU, failuresOf, type Measured, STAGE_CPU } from './measured.ts';
import type { StagedState } from './state.ts';

/** Parts of the goal, one after the other. */
const SHARES = [0.1, 0.5, 1] as const;

/** What a stage is to carry. */
export interface Stage {
  readonly name: string;
  readonly clients: number;
  readonly tasks: number;
}

/** Why it went no further, and where. */
export class Stopped extends Error {
  override name = 'Stopped';
}

/** Puts so many clients on so many tasks. @throws {Stopped} when it may not, or was told to end */
export type Measure = (clients: number, tasks: number, name: string) => Promise<Measured>;

/**
 * The stages towards a goal, each with as many tasks as carry its part at their base capacity.
 *
 * @param goal clients; without it as many as all tasks carry
 * @throws {Stopped} when the goal takes more tasks than there may be
 */
export function stagesOf(base: number, mostTasks: number, goal = base * mostTasks): Stage[] {
  const tasks = Math.ceil(goal / base);
  if (tasks > mostTasks) {
    throw new Stopped(
      `base: a goal of ${goal} clients takes ${tasks} tasks of ${base} each, and there may be ${mostTasks}. ` +
        'Raise --tasks, or lower --goal.',
    );
  }
  return SHARES.map((share) => {
    const clients = Math.round(goal * share);
    return { name: `${share * 100} %`, clients, tasks: Math.ceil(clients / base) };
  });
}

/** What was measured so far. */
type Found = Pick<StagedState, 'probes' | 'stages'>;

/**
 * Goes from the base capacity of one task through all stages, and no further than the first that fails. What was measured
 * before and was kept is not measured again.
 *
 * @param first clients to begin the search for the base capacity with
 * @param keep told after each load what there is
 * @throws {Stopped} naming the stage and its gate
 */
export async function goThroughStages(
  { parameters, ...before }: Found & Pick<StagedState, 'parameters'>,
  first: number,
  measure: Measure,
  keep: (found: Found) => void,
): Promise<void> {
  // Where the generator was the limit nothing is known, and a stage that failed is where it goes on.
  let probes = before.probes.filter(({ bottlenecks }) => bottlenecks.length === 0);
  let stages = before.stages.filter((stage) => failuresOf(stage, STAGE_CPU).length === 0);

  const found = await findMax(first, async (clients) => {
    let probe = probes.find((each) => each.clients === clients);
    if (!probe) {
      probe = await measure(clients, 1, 'base');
      probes = [...probes, probe];
      keep({ probes, stages });
    }
    return probe.bottlenecks.length > 0 ? undefined : failuresOf(probe, BASE_CPU).length === 0;
  });
  if (found.limitedBy !== undefined) {
    const why = probes.at(-1)?.bottlenecks.join('; ');
    throw new Stopped(
      `base: the generator was the limit of one task, not the task: ${why}. Give it a quieter machine, or tasks less, by --share.`,
    );
  }
  if (found.rate === 0) throw new Stopped('base: not even one client is within the gates');

  for (const [n, stage] of stagesOf(found.rate, parameters.tasks, parameters.goal).entries()) {
    const known = stages[n];
    if (known?.clients === stage.clients && known.tasks === stage.tasks) continue;
    const measured = await measure(stage.clients, stage.tasks, stage.name);
    stages = [...stages.slice(0, n), measured];
    keep({ probes, stages });
    const failures = failuresOf(measured, STAGE_CPU);
    if (failures.length > 0) throw new Stopped(`${stage.name}: ${failures.join('; ')}`);
  }
}

/** The most clients on one task that kept all gates, as far as it was searched for. @returns undefined when none did */
export function baseOf({ probes }: Pick<StagedState, 'probes'>): Measured | undefined {
  const kept = probes.filter((probe) => failuresOf(probe, BASE_CPU).length === 0);
  return kept.toSorted((a, b) => b.clients - a.clients)[0];
}

/** The stage that reached the goal. @returns undefined as long as none has */
export function lastOf({ stages }: Pick<StagedState, 'stages'>): Measured | undefined {
  const last = stages[SHARES.length - 1];
  return last && failuresOf(last, STAGE_CPU).length === 0 ? last : undefined;
}
