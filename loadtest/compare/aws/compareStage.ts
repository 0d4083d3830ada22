import { DeleteStackCommand, paginateDescribeStackEvents, type Stack } from '@aws-sdk/client-cloudformation';
import { type CloudFormationDeps, readStack } from '../../../infra/release/stackChanges.ts';

/** Settings of the stage of a comparison, by key. */
export type CompareSettings = Readonly<Record<string, string | number | boolean>>;

/** Nothing is retained; a load generator; metrics of the host every second. */
const SETTINGS = {
  'host.loadGenerator': true,
  'host.metricsSeconds': 1,
  alarms: false,
  lean: true,
  retainData: false,
  streamingAccessLogs: 'off',
  terminationProtection: false,
} as const;

/** Two tasks, without scaling: the compared design. */
const FARGATE_SETTINGS = { 'fargate.allowInsecure': true, 'fargate.maximum': 2 } as const;

/** The settings that deploy these designs. */
export function compareSettings(targets: readonly string[]): CompareSettings {
  return { ...SETTINGS, ...(targets.includes('fargate') && FARGATE_SETTINGS) };
}

/** In the order of deletion: each stack uses exports of later ones. */
const STACKS = ['Cost', 'Fargate', 'Host', 'Serverless', 'Data'] as const;

/** Maximum time until a stack is deleted, or until another operation on it ends. */
const DEADLINE_MS = 45 * 60_000;

/** Attempts to delete a stack. Network interfaces take some time to disappear. */
const DELETIONS = 2;

/** The states in which CloudFormation deletes a stack. Other operations must end first. */
const CAN_BE_DELETED = /^(CREATE|REVIEW|DELETE)_IN_PROGRESS$|_(COMPLETE|FAILED)$/;

/** Dependencies of a stage. */
interface CompareStageDeps extends CloudFormationDeps {
  /** `Flagwire-compare`. */
  readonly deployment: string;
  readonly say: (line: string) => void;
}

/** The remains after a removal. */
interface Leftovers {
  /** Remaining stacks, with the reason. */
  readonly stacks: readonly string[];
  /** Resources that a deleted stack retained. */
  readonly kept: readonly string[];
}

/** The stacks of a comparison: a separate stage, which is removed at the end. */
export class CompareStage {
  readonly #deps: CompareStageDeps;
  readonly #names: readonly string[];

  constructor(deps: CompareStageDeps) {
    this.#deps = deps;
    this.#names = STACKS.map((stack) => `${deps.deployment}-${stack}`);
  }

  /** Names of its existing stacks, in any state. */
  async existing(): Promise<string[]> {
    const stacks = await Promise.all(this.#names.map((name) => readStack(this.#deps, name)));
    return stacks.flatMap((stack) => (stack?.StackName ? [stack.StackName] : []));
  }

  /** An output of one of its stacks. @throws Error if the stack has no such output */
  async output(stack: (typeof STACKS)[number], name: string): Promise<string> {
    const { Outputs = [] } = (await readStack(this.#deps, `${this.#deps.deployment}-${stack}`)) ?? {};
    const value = Outputs.find(({ OutputKey }) => OutputKey === name)?.OutputValue;
    if (value === undefined) throw new Error(`the stack ${this.#deps.deployment}-${stack} has no output ${name}.`);
    return value;
  }

  /** Deletes its stacks, and waits until they are gone. If one fails, it deletes the others anyway. */
  async remove(): Promise<Leftovers> {
    const stacks: string[] = [];
    const kept: string[] = [];
    for (const name of this.#names) {
      try {
        kept.push(...(await this.#delete(name)));
      } catch (error) {
        stacks.push(`stack ${name}: ${(error as Error).message}`);
      }
    }
    return { stacks, kept };
  }

  /** @returns resources that it retained @throws Error if it remains */
  async #delete(name: string): Promise<string[]> {
    for (let left = DELETIONS; left > 0; left--) {
      const stack = await this.#until(name, ({ StackStatus = '' }) => CAN_BE_DELETED.test(StackStatus));
      if (!stack?.StackId) return [];
      const id = stack.StackId;
      this.#deps.say(`deleting ${name}`);
      await this.#deps.cloudFormation.send(new DeleteStackCommand({ StackName: name }));
      await this.#deps.pause();
      const after = await this.#until(id, ({ StackStatus = '' }) => /^DELETE_(COMPLETE|FAILED)$/.test(StackStatus));
      if (after?.StackStatus !== 'DELETE_FAILED') return this.#kept(id);
      if (left === 1) throw new Error(after.StackStatusReason ?? 'it could not be deleted');
    }
    return [];
  }

  /** Waits for a state of a stack. @param name or id. A deleted stack is only found by its id @returns undefined if there is no such stack */
  async #until(name: string, isReached: (stack: Stack) => boolean): Promise<Stack | undefined> {
    for (const deadline = Date.now() + DEADLINE_MS; ; await this.#deps.pause()) {
      const stack = await readStack(this.#deps, name);
      if (!stack || isReached(stack)) return stack;
      if (Date.now() > deadline) throw new Error(`it stays in ${stack.StackStatus}`);
    }
  }

  /** Resources that a deleted stack retained. */
  async #kept(StackName: string): Promise<string[]> {
    const kept: string[] = [];
    for await (const page of paginateDescribeStackEvents({ client: this.#deps.cloudFormation }, { StackName })) {
      for (const { ResourceStatus, ResourceType, PhysicalResourceId } of page.StackEvents ?? [])
        if (ResourceStatus === 'DELETE_SKIPPED') kept.push(`${ResourceType} ${PhysicalResourceId}`);
    }
    return kept;
  }
}
