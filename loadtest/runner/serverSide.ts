import { addEnvironment, repeatedFlags } from '../machine/flagFlips.ts';
import type { LoadProfile } from '../scenarios/loadProfile.ts';
import { SDKS, type SdkName } from '../scenarios/sdks.ts';
import type { Settings } from '../scenarios/settings.ts';
import { WrongArguments } from './outcome.ts';
import type { Target } from './target.ts';

/**
 * The environment for server-side SDKs. On a target that the load test started, this adds an environment with the number of flags in
 * the plan. On any other target, the server key selects the environment.
 *
 * @param environment the environment of the server key
 * @returns undefined if the plan has no server-side SDK
 * @throws {WrongArguments} for a target without a server key, or with unknown flags
 */
export async function serverSide(
  { sdks = {}, flags = 0 }: LoadProfile,
  { isOurs, table, serverKey }: Target,
  environment: Settings['environment'],
): Promise<Settings['server']> {
  const hasServers = Object.keys(sdks).some((sdk) => SDKS[sdk as SdkName].type === 'server');
  if (!hasServers) return undefined;
  if (table && isOurs) {
    const documents = repeatedFlags(flags);
    const key = await addEnvironment(table, `load-${flags}-flags`, documents, 'server');
    return { key, documents: documents.length };
  }
  if (serverKey === undefined)
    throw new WrongArguments('SDKs on servers take --server-key: give it, or leave them out of the --script.');
  if (!environment)
    throw new WrongArguments(
      'SDKs on servers take --http, to know how many flags and segments each must get: give it, or leave them out of the --script.',
    );
  return { key: serverKey, documents: environment.flags.length + environment.segments.length };
}
