import { setTimeout as sleep } from 'node:timers/promises';
import {
  type CloudFormationClient,
  DeleteStackCommand,
  DescribeStackEventsCommand,
  DescribeStacksCommand,
  type Stack,
} from '@aws-sdk/client-cloudformation';

/** In the order in which they can be deleted: each uses what those after it export. */
const STACKS = ['Cost', 'Fargate', 'Host', 'Serverless', 'Data'] as const;

/** How long a stack may take to be deleted, or to end an update that was begun. */
const DEADLINE_MS = 45 * 60_000;

/** What happens while a stack cannot be deleted. */
const UPDATING = /^UPDATE(_ROLLBACK)?(_COMPLETE_CLEANUP)?_IN_PROGRESS$/;

/** What a comparison needs of its stage in CloudFormation. */
interface CompareStageDeps {
  readonly cloudFormation: Pick<CloudFormationClient, 'send'>;
  /** `Flagwire-compare`. */
  readonly deployment: string;
  readonly say: (line: string) => void;
  /** How often it is asked whether something is done. */
  readonly pollMs: number;
}

/** The stacks of a comparison: a stage of its own, which is removed when it is over. */
export class CompareStage {
  readonly #deps: CompareStageDeps;

  constructor(deps: CompareStageDeps) {
    this.#deps = deps;
  }

  /** Names of its stacks that are there, in whatever state. */
  async existing(): Promise<string[]> {
    const stacks = await Promise.all(this.#names().map((name) => this.#describe(name)));
    return stacks.flatMap((stack) => (stack?.StackName ? [stack.StackName] : []));
  }

  /** An output of one of its stacks. @throws Error where the stack has none of that name */
  async output(stack: (typeof STACKS)[number], name: string): Promise<string> {
    const { Outputs = [] } = (await this.#describe(`${this.#deps.deployment}-${stack}`)) ?? {};
    const value = Outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
    if (value === undefined) throw new Error(`the stack ${this.#deps.deployment}-${stack} has no output ${name}.`);
    return value;
  }

  /**
   * Deletes its stacks, whatever state they are in, and waits until they are gone.
   *
   * @returns what is left: stacks that could not be deleted, and resources that were kept
   */
  async remove(): Promise<string[]> {
    const left: string[] = [];
    for (const name of this.#names()) {
      const stack = await this.#settled(name);
      if (!stack?.StackId) continue;
      this.#deps.say(`deleting ${name}`);
      await this.#deps.cloudFormation.send(new DeleteStackCommand({ StackName: name }));
      left.push(...(await this.#deleted(stack.StackId)));
    }
    const unnamed = (await this.existing()).filter((name) => !left.some((each) => each.startsWith(`stack ${name}:`)));
    return [...left, ...unnamed.map((name) => `stack ${name}`)];
  }

  #names(): string[] {
    return STACKS.map((stack) => `${this.#deps.deployment}-${stack}`);
  }

  /** A stack once no update of it runs. */
  async #settled(name: string): Promise<Stack | undefined> {
    for (const deadline = Date.now() + DEADLINE_MS; ; await this.#pause()) {
      const stack = await this.#describe(name);
      if (!stack || !UPDATING.test(stack.StackStatus ?? '')) return stack;
      if (Date.now() > deadline) throw new Error(`${name} stays in ${stack.StackStatus}: delete it in the console.`);
    }
  }

  /** Waits until a stack is gone. @returns why it is not, and what it kept */
  async #deleted(id: string): Promise<string[]> {
    for (const deadline = Date.now() + DEADLINE_MS; ; await this.#pause()) {
      const stack = await this.#describe(id);
      const status = stack?.StackStatus ?? 'DELETE_COMPLETE';
      if (status === 'DELETE_COMPLETE') return this.#kept(id);
      if (status === 'DELETE_FAILED')
        return [`stack ${stack?.StackName}: ${stack?.StackStatusReason ?? 'it could not be deleted'}`];
      if (Date.now() > deadline) return [`stack ${stack?.StackName}: still ${status}`];
    }
  }

  /** Resources that a deleted stack kept. */
  async #kept(id: string): Promise<string[]> {
    const kept: string[] = [];
    let NextToken: string | undefined;
    do {
      const page = await this.#deps.cloudFormation.send(
        new DescribeStackEventsCommand({ StackName: id, ...(NextToken && { NextToken }) }),
      );
      for (const { ResourceStatus, ResourceType, PhysicalResourceId } of page.StackEvents ?? [])
        if (ResourceStatus === 'DELETE_SKIPPED') kept.push(`${ResourceType} ${PhysicalResourceId}`);
      NextToken = page.NextToken;
    } while (NextToken !== undefined);
    return kept;
  }

  /** @param name or id: a stack that was deleted is found by its id only @returns undefined where there is none */
  async #describe(name: string): Promise<Stack | undefined> {
    try {
      const { Stacks = [] } = await this.#deps.cloudFormation.send(new DescribeStacksCommand({ StackName: name }));
      return Stacks[0];
    } catch (error) {
      if (/does not exist/.test((error as Error).message)) return undefined;
      throw error;
    }
  }

  #pause(): Promise<void> {
    return sleep(this.#deps.pollMs);
  }
}
