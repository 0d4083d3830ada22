import type { Effects } from '../../shared/runtime/effects.ts';
import { SignedRequests, type SignedTarget } from '../../shared/runtime/signedRequests.ts';
import type { MachineState } from '../../shared/tier/machineHealth.ts';

const HEADERS = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
const ACTION = 'DescribeInstanceStatus';

/**
 * Reads the status of one instance of EC2, without repetition. The package of the SDK's client has 18 MB.
 *
 * @returns a function that throws an Error with the code of EC2, such as `RequestLimitExceeded`, if EC2 refuses
 */
export function createStatusReader(
  target: Omit<SignedTarget, 'service'>,
  id: string,
  effects: Pick<Effects, 'now' | 'onSilence'>,
): () => Promise<MachineState> {
  const requests = new SignedRequests({ ...target, service: 'ec2' }, 10_000, effects);
  return async () => {
    const { status, body } = await requests.send(
      '/',
      `Action=${ACTION}&InstanceId.1=${id}&Version=2016-11-15`,
      HEADERS,
    );
    if (status !== 200) {
      const reason = `${valueAfter(body, '<Code>') || status}: ${valueAfter(body, '<Message>')}`;
      throw new Error(`EC2 refused ${ACTION} for instance ${id} with ${reason}`);
    }
    if (!body.includes('<instanceStatusSet')) throw new Error(`the response of EC2 does not describe instance ${id}`);
    const inside = (tag: string, value: string) => valueAfter(valueAfter(body, `<${tag}>`, `</${tag}>`), `<${value}>`);
    return {
      // By default, EC2 lists running instances only.
      isRunning: inside('instanceState', 'name') === 'running',
      isImpaired: [inside('systemStatus', 'status'), inside('instanceStatus', 'status')].includes('impaired'),
    };
  };
}

/** The text between a tag and its end. */
function valueAfter(xml: string, tag: string, end = '<'): string {
  return xml.split(tag)[1]?.split(end)[0] ?? '';
}
