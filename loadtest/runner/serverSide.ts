import { openTable } from '../machine/flagFlips.ts';
import { repeatedFlags } from '../machine/repeatedFlags.ts';
import type { Plan } from '../scenarios/plan.ts';
import { SDKS, type SdkName } from '../scenarios/sdks.ts';
import type { Settings } from '../scenarios/settings.ts';
import { WrongArguments } from './outcome.ts';
import type { Target } from './target.ts';

/**
 * What SDKs on servers ask a target for. A target that was started for this is given an environment of its own for them, with as many
 * flags as the plan says; of another the server key's environment is taken as it is.
 *
 * @param environment that was fetched by the server key
 * @returns undefined where the plan has no such SDK
 * @throws {WrongArguments} for a target without a server key, or whose documents are not known
 */
export async function serverSide(
  { sdks = {}, flags = 0 }: Plan,
  { isOurs, table, serverKey }: Target,
  environment: Settings['environment'],
): Promise<Settings['server']> {
  const hasServers = Object.keys(sdks).some((sdk) => SDKS[sdk as SdkName].type === 'server');
  if (!hasServers) return undefined;
  if (table && isOurs) return writeEnvironment(table, flags);
  if (serverKey === undefined)
    throw new WrongArguments('SDKs on servers take --server-key: give it, or leave them out of the --script.');
  if (!environment)
    throw new WrongArguments(
      'SDKs on servers take --http, to know how many flags and segments each must get: give it, or leave them out of the --script.',
    );
  return { key: serverKey, documents: environment.flags.length + environment.segments.length };
}

async function writeEnvironment(table: NonNullable<Target['table']>, flags: number): Promise<Settings['server']> {
  const store = openTable(table);
  try {
    const { environment, secrets } = await store.environments.create(`load-${flags}-flags`);
    const documents = repeatedFlags(flags);
    await store.documents.import(environment.id, documents);
    const key = secrets.find(({ record }) => record.type === 'server')?.value ?? '';
    return { key, documents: documents.length };
  } finally {
    store.close();
  }
}
