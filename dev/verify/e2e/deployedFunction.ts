import { entryMetadata } from '../../../infra/constructs/lambdaEntry.ts';
import { until } from '../../../shared/testing/until.ts';
import { callAws, physicalIds } from './awsCalls.ts';
import type { Deployment } from './deployment.ts';

/** Parts of a Lambda function's configuration. */
interface Configuration {
  readonly CodeSha256: string;
  readonly Handler: string;
  readonly Environment: { readonly Variables: Readonly<Record<string, string>> };
}

/** A deployed function that reads events, and how it can be broken for a while. */
export class DeployedFunction {
  readonly #deployment: Deployment;
  readonly #name: string;

  private constructor(deployment: Deployment, name: string) {
    this.#deployment = deployment;
    this.#name = name;
  }

  /** The function whose code is an entry file's. @throws when no stack has it */
  static async of(deployment: Deployment, entry: string): Promise<DeployedFunction> {
    for (const [stackName, { template }] of Object.entries(deployment.stacks)) {
      const found = Object.entries(template.Resources).find(([, { Metadata }]) => Metadata?.[entryMetadata] === entry);
      if (!found) continue;
      const ids = await physicalIds(deployment.emulator, stackName);
      return new DeployedFunction(deployment, ids.get(found[0]) as string);
    }
    throw new Error(`no stack has a function for ${entry}`);
  }

  /**
   * Makes every invocation fail as long as `act` takes, and longer until one has failed; then mends the function.
   *
   * @param part what is broken: the handler, so that the invocation itself fails, or an environment variable by its name
   */
  async whileFailing(part: string, act: () => Promise<void>): Promise<void> {
    const { Handler, Environment } = await this.configuration();
    const { Variables } = Environment;
    await this.#configure(
      part === 'handler'
        ? { Handler: 'index.missing' }
        : { Environment: { Variables: { ...Variables, [part]: 'missing' } } },
    );
    try {
      await act();
      await until(
        () => this.#lastResult(),
        (result) => /FAILED|partial failures/.test(result),
      );
    } finally {
      await this.#configure({ Handler, Environment });
    }
  }

  /** Its configuration now. */
  async configuration(): Promise<Configuration> {
    return JSON.parse(await callAws(this.#deployment.emulator, { service: 'lambda', path: this.#path }));
  }

  /** Calls it with an event, and waits for its end. @returns its result as JSON */
  invoke(event: object): Promise<string> {
    const path = `/2015-03-31/functions/${this.#name}/invocations`;
    return callAws(this.#deployment.emulator, { service: 'lambda', path, body: JSON.stringify(event) });
  }

  /** How the newest invocation by its event source went, in Lambda's words. */
  async #lastResult(): Promise<string> {
    const path = `/2015-03-31/event-source-mappings?FunctionName=${this.#name}`;
    const { EventSourceMappings } = JSON.parse(await callAws(this.#deployment.emulator, { service: 'lambda', path }));
    return String(EventSourceMappings[0].LastProcessingResult);
  }

  async #configure(change: Partial<Configuration>): Promise<void> {
    const body = JSON.stringify(change);
    await callAws(this.#deployment.emulator, { service: 'lambda', path: this.#path, method: 'PUT', body });
  }

  get #path(): string {
    return `/2015-03-31/functions/${this.#name}/configuration`;
  }
}
