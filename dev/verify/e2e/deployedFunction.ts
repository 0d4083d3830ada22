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

/** A deployed function. */
export class DeployedFunction {
  readonly stackName: string;
  readonly logicalId: string;
  readonly #deployment: Deployment;

  /** @param entry source file of the function @throws Error when no stack has the function */
  constructor(deployment: Deployment, entry: string) {
    const found = Object.entries(deployment.stacks).flatMap(([stackName, { template }]) => {
      const [logicalId] = functionFor(template, entry) ?? [];
      return logicalId === undefined ? [] : [{ stackName, logicalId }];
    })[0];
    if (!found) throw new Error(`no stack has a function for ${entry}`);
    this.#deployment = deployment;
    this.stackName = found.stackName;
    this.logicalId = found.logicalId;
  }

  async configuration(): Promise<Configuration> {
    return JSON.parse(await this.#call('configuration'));
  }

  /** Calls it with an event, and waits for its end. @returns its result as JSON */
  invoke(event: object): Promise<string> {
    return this.#call('invocations', JSON.stringify(event));
  }

  async #call(operation: string, body?: string): Promise<string> {
    const { emulator } = this.#deployment;
    const name = (await physicalIds(emulator, this.stackName)).get(this.logicalId);
    const path = `/2015-03-31/functions/${name}/${operation}`;
    return callAws(emulator, { service: 'lambda', path, ...(body !== undefined && { body }) });
  }
}
