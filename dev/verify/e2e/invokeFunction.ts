import { entryMetadata } from '../../../infra/constructs/lambdaEntry.ts';
import { callAws, physicalIds } from './awsCalls.ts';
import type { Deployment } from './deployment.ts';

/**
 * Calls a deployed function with an event, and waits for its end.
 *
 * @param entry its source file
 * @returns its result as JSON
 * @throws Error when no stack has the function
 */
export async function invokeFunction({ emulator, stacks }: Deployment, entry: string, event: object): Promise<string> {
  for (const [stackName, { template }] of Object.entries(stacks)) {
    const found = Object.entries(template.Resources).find(([, { Metadata }]) => Metadata?.[entryMetadata] === entry);
    if (!found) continue;
    const name = (await physicalIds(emulator, stackName)).get(found[0]);
    const path = `/2015-03-31/functions/${name}/invocations`;
    return callAws(emulator, { service: 'lambda', path, body: JSON.stringify(event) });
  }
  throw new Error(`no stack has a function for ${entry}`);
}
