import { setTimeout as sleep } from 'node:timers/promises';
import { awsProfiles } from '../../../dev/emulator/awsProfiles.ts';
import { startLocal } from '../../../dev/emulator/emulator.ts';
import { synthesizeTemplates, type Template } from '../../../infra/inProcess.ts';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table.ts';
import { anEnvironment, Client } from './clients.ts';

/** What a crowd met that came to a new account, all at once. */
export interface Crowd {
  readonly clients: number;
  /** Handshakes that were refused, and data-syncs in whose place came an error. */
  readonly refused: number;
  readonly lost: number;
  /** Connections that were ended with 1000, so that their SDKs ask again. */
  readonly ended: number;
  /** How many have their flags, by seconds since they came. */
  readonly served: Readonly<Record<number, number>>;
}

/** Seconds after which is counted who has flags: before healing begins, once it has, and after. */
const MOMENTS = [10, 60, 90, 130];

/**
 * Lets clients come to an account of ten concurrent executions, half of them server-side.
 *
 * @param isHealed whether the function that looks for unanswered connections runs
 */
export async function crowd(clients: number, isHealed: boolean): Promise<Crowd> {
  const templates = isHealed ? synthesizeTemplates() : withoutSchedules(synthesizeTemplates());
  const stack = await startLocal({ templates, aws: awsProfiles['new-account'], log: () => {} });
  const store = openStore({ client: createDynamoDb(), ...stack.tables });
  const all: Client[] = [];
  try {
    const environment = await anEnvironment(store, 'a crowd');
    const counts = { refused: 0, lost: 0, ended: 0 };
    const haveFlags = new Set<number>();
    for (let n = 0; n < clients; n++) {
      const client = new Client(stack.streamingUrl, environment, n % 2 ? 'client' : 'server', `u${n}`, {
        onFlags: () => haveFlags.add(n),
        onError: () => counts.lost++,
        onEnd: (code) => (code === 0 ? counts.refused++ : counts.ended++),
      });
      all.push(client);
    }
    const served: Record<number, number> = {};
    let before = 0;
    for (const moment of MOMENTS) {
      await sleep((moment - before) * 1_000);
      before = moment;
      served[moment] = haveFlags.size;
    }
    return { clients, ...counts, served };
  } finally {
    for (const client of all) client.close();
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
