import type { Effects } from '../../shared/runtime/effects.ts';
import { SignedRequests, type SignedTarget } from '../../shared/runtime/signedRequests.ts';
import type { MachineState } from '../../shared/tier/machineHealth.ts';

const HEADERS = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

/**
 * One instance of EC2. Requests are not repeated. All methods throw an Error with the code of EC2, such as
 * `InsufficientInstanceCapacity`, if EC2 refuses. The package of the SDK's client has 18 MB.
 */
export class Ec2Machine {
  readonly #requests: SignedRequests;
  readonly #id: string;

  constructor(target: Omit<SignedTarget, 'service'>, id: string, effects: Pick<Effects, 'now' | 'onSilence'>) {
    this.#requests = new SignedRequests({ ...target, service: 'ec2' }, 10_000, effects);
    this.#id = id;
  }

  async describe(): Promise<MachineState> {
    const [answer, status] = await Promise.all([this.#call('DescribeInstances'), this.#call('DescribeInstanceStatus')]);
    const state = valueAfter(valueAfter(answer, '<instanceState>', '</instanceState>'), '<name>');
    const launchedAt = Date.parse(valueAfter(answer, '<launchTime>'));
    if (Number.isNaN(launchedAt)) throw new Error(`the response of EC2 does not describe instance ${this.#id}`);
    // EC2 has no status of a machine that does not run.
    const checks = ['systemStatus', 'instanceStatus'].map((check) =>
      valueAfter(valueAfter(status, `<${check}>`, `</${check}>`), '<status>'),
    );
    return {
      state: state === 'running' || state === 'stopped' ? state : 'changing',
      launchedAt,
      isImpaired: checks.includes('impaired'),
    };
  }

  /** Starts the instance, or shuts its system down and stops it. */
  async change(action: 'start' | 'stop'): Promise<void> {
    await this.#call(action === 'start' ? 'StartInstances' : 'StopInstances');
  }

  async #call(action: string): Promise<string> {
    const text = `Action=${action}&InstanceId.1=${this.#id}&Version=2016-11-15`;
    const { status, body } = await this.#requests.send('/', text, HEADERS);
    if (status === 200) return body;
    const reason = `${valueAfter(body, '<Code>') || status}: ${valueAfter(body, '<Message>')}`;
    throw new Error(`EC2 refused ${action} for instance ${this.#id} with ${reason}`);
  }
}

/** The text between a tag and its end. */
function valueAfter(xml: string, tag: string, end = '<'): string {
  return xml.split(tag)[1]?.split(end)[0] ?? '';
}
