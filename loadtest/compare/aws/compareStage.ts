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

/** How long a stack may take to be deleted, or to end what CloudFormation does with it. */
const DEADLINE_MS = 45 * 60_000;

/** How often a stack is deleted that could not be: network interfaces take some time to go. */
const DELETIONS = 2;

/** What CloudFormation may be doing with a stack that is to be deleted: everything else has to end first. */
const CAN_BE_DELETED = /^(CREATE|REVIEW|DELETE)_IN_PROGRESS$|_(COMPLETE|FAILED)$/;

/** What a comparison needs of its stage in CloudFormation. */
interface CompareStageDeps {
  readonly cloudFormation: Pick<CloudFormationClient, 'send'>;
  /** `Flagwire-compare`. */
  readonly deployment: string;
  readonly say: (line: string) => void;
  /** How often it is asked whether something is done. */
  readonly pollMs: number;
}

/** What a removal left. */
export interface Leftovers {
  /** Stacks that are still there, with the reason. */
  readonly stacks: readonly string[];
  /** Resources that a deleted stack kept. */
  readonly kept: readonly string[];
}

/** The stacks of a comparison. They are a separate stage, which is removed at the end. */
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

  /** Deletes its stacks, whatever state they are in, and waits until they are gone. One that fails does not hold up the others. */
  async remove(): Promise<Leftovers> {
    const stacks: string[] = [];
    const kept: string[] = [];
    for (const name of this.#names()) {
      try {
        kept.push(...(await this.#delete(name)));
      } catch (error) {
        stacks.push(`stack ${name}: ${(error as Error).message}`);
      }
    }
    return { stacks, kept };
  }

  #names(): string[] {
    return STACKS.map((stack) => `${this.#deps.deployment}-${stack}`);
  }

  /** @returns resources that it kept @throws Error where it stays */
  async #delete(name: string): Promise<string[]> {
    for (let left = DELETIONS; left > 0; left--) {
      const stack = await this.#settled(name);
      if (!stack?.StackId) return [];
      this.#deps.say(`deleting ${name}`);
      await this.#deps.cloudFormation.send(new DeleteStackCommand({ StackName: name }));
      const after = await this.#deleted(stack.StackId);
      if (after === undefined) return this.#kept(stack.StackId);
      if (left === 1) throw new Error(after);
    }
    return [];
  }

  /** A stack once it can be deleted. */
  async #settled(name: string): Promise<Stack | undefined> {
    for (const deadline = Date.now() + DEADLINE_MS; ; await this.#pause()) {
      const stack = await this.#describe(name);
      if (!stack || CAN_BE_DELETED.test(stack.StackStatus ?? '')) return stack;
      if (Date.now() > deadline) throw new Error(`it stays in ${stack.StackStatus}`);
    }
  }

  /** Waits until a stack is gone. @returns why it is not */
  async #deleted(id: string): Promise<string | undefined> {
    for (const deadline = Date.now() + DEADLINE_MS; ; ) {
      await this.#pause();
      const { StackStatus: status = 'DELETE_COMPLETE', StackStatusReason } = (await this.#describe(id)) ?? {};
      if (status === 'DELETE_COMPLETE') return undefined;
      if (status === 'DELETE_FAILED') return StackStatusReason ?? 'it could not be deleted';
      if (Date.now() > deadline) return `it is still in ${status}`;
    }
  }

  /** Resources that a deleted stack kept. */
  async #kept(id: string): Promise<string[]> {
    const kept: string[] = [];
    let NextToken: string | undefined;
    do {
      const page = await orNothing(
        this.#deps.cloudFormation.send(
          new DescribeStackEventsCommand({ StackName: id, ...(NextToken && { NextToken }) }),
        ),
      );
      for (const { ResourceStatus, ResourceType, PhysicalResourceId } of page?.StackEvents ?? [])
        if (ResourceStatus === 'DELETE_SKIPPED') kept.push(`${ResourceType} ${PhysicalResourceId}`);
      NextToken = page?.NextToken;
    } while (NextToken !== undefined);
    return kept;
  }

  /** @param name or id: a stack that was deleted is found by its id only @returns undefined where there is none */
  async #describe(name: string): Promise<Stack | undefined> {
    const found = await orNothing(this.#deps.cloudFormation.send(new DescribeStacksCommand({ StackName: name })));
    return found?.Stacks?.[0];
  }

  #pause(): Promise<void> {
    return sleep(this.#deps.pollMs);
  }
}

/** An answer about a stack; undefined where there is no such stack. */
async function orNothing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (/does not exist/.test((error as Error).message)) return undefined;
    throw error;
  }
}
