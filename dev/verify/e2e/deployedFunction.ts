import { entryMetadata } from '../../../infra/constructs/lambdaEntry.ts';
import type { Template, TemplateResource } from '../../../infra/inProcess.ts';
import { callAws, physicalIds } from './awsCalls.ts';
import type { Deployment } from './deployment.ts';

/** Parts of a Lambda function's configuration. */
interface Configuration {
  readonly CodeSha256: string;
  readonly Handler: string;
  readonly Environment: { readonly Variables: Readonly<Record<string, string>> };
}

/** The resource of a template for the function whose code is an entry file's, with its logical id. */
export function functionFor({ Resources }: Template, entry: string): [string, TemplateResource] | undefined {
  return Object.entries(Resources).find(([, { Metadata }]) => Metadata?.[entryMetadata] === entry);
}

/** A deployed function. @param entry its source file @throws Error when no stack has the function */
export function deployedFunction({ emulator, stacks }: Deployment, entry: string) {
  const [found] = Object.entries(stacks).flatMap(([stackName, { template }]) => {
    const [logicalId] = functionFor(template, entry) ?? [];
    return logicalId === undefined ? [] : [{ stackName, logicalId }];
  });
  if (!found) throw new Error(`no stack has a function for ${entry}`);
  const { stackName, logicalId } = found;
  const call = async (operation: string, body?: string) => {
    const name = (await physicalIds(emulator, stackName)).get(logicalId);
    const path = `/2015-03-31/functions/${name}/${operation}`;
    return callAws(emulator, { service: 'lambda', path, ...(body !== undefined && { body }) });
  };
  return {
    ...found,
    configuration: async (): Promise<Configuration> => JSON.parse(await call('configuration')),
    /** Calls it with an event, and waits for its end. @returns its result as JSON */
    invoke: (event: object) => call('invocations', JSON.stringify(event)),
  };
}
