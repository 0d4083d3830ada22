import { setTimeout as sleep } from 'node:timers/promises';
import { awsProfiles } from '../../../dev/emulator/awsProfiles.ts';
import { startLocal } from '../../../dev/emulator/emulator.ts';
import { synthesizeTemplates, type Template } from '../../../infra/inProcess.ts';
import { sumOf } from '../../../shared/statistics/sumOf.ts';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table.ts';
import type { Tally } from '../../testbed/population.ts';
import { withGenerators } from '../../testbed/testbed.ts';
import { createEnvironment } from './clients.ts';

/** What happened to clients that came to a new account, all at once. */
export interface CrowdResult extends Pick<Tally, 'refused' | 'ended' | 'errorReplies'> {
  /** How many have their flags, by {@link MOMENTS}. */
  readonly served: readonly number[];
}

/** Seconds after which the clients with flags are counted: before healing begins, once it has, and after. */
export const MOMENTS = [10, 60, 90, 130];

/**
 * Lets clients come to an account of ten concurrent executions, half of them server-side.
 *
 * @param isHealed whether the function that looks for unanswered connections runs
 */
export async function measureCrowd(clients: number, isHealed: boolean): Promise<CrowdResult> {
  const templates = isHealed ? synthesizeTemplates() : withoutSchedules(synthesizeTemplates());
  const stack = await startLocal({ templates, aws: awsProfiles['new-account'], log: () => {} });
  const store = openStore({ client: createDynamoDb(), ...stack.tables });
  try {
    const { target } = await createEnvironment(stack, store, 'a crowd');
    const count = Math.ceil(clients / 2);
    return await withGenerators({ ...target('client'), reconnects: true }, 1, ([first]) =>
      withGenerators({ ...target('server'), reconnects: true }, 1, async ([second]) => {
        const generators = [first, second];
        const startedAt = performance.now();
        for (const generator of generators) void generator.ask('storm', { rate: 1e6, count }).catch(() => {});
        const served: number[] = [];
        let tallies: readonly Tally[] = [];
        for (const moment of MOMENTS) {
          await sleep(startedAt + moment * 1_000 - performance.now());
          tallies = await Promise.all(generators.map((each) => each.ask('tally', null)));
          served.push(sumOf(tallies, ({ answered }) => answered));
        }
        const sum = (name: 'refused' | 'ended' | 'errorReplies') => sumOf(tallies, (tally) => tally[name]);
        return { refused: sum('refused'), ended: sum('ended'), errorReplies: sum('errorReplies'), served };
      }),
    );
  } finally {
    store.close();
    await stack.close();
  }
}

/** The stacks without what runs by the clock, which is healing alone. */
function withoutSchedules(templates: Readonly<Record<string, Template>>): Record<string, Template> {
  return Object.fromEntries(
    Object.entries(templates).map(([name, template]) => {
      const kept = Object.entries(template.Resources).filter(([, { Type }]) => Type !== 'AWS::Events::Rule');
      return [name, { ...template, Resources: Object.fromEntries(kept) }];
    }),
  );
}
