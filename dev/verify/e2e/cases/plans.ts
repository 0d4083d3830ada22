import {
  CloudWatchClient,
  DeleteAlarmsCommand,
  PutMetricAlarmCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { entryMetadata } from '../../../../infra/constructs/lambdaEntry.ts';
import { NodeSdk } from '../../conformance/clients/nodeSdk.ts';
import type { Target } from '../../conformance/target.ts';
import { simpleFlag, Workspace } from '../../conformance/workspace.ts';
import { callAws, physicalIds } from '../awsCalls.ts';
import { type Deployment, flagsCli } from '../deployment.ts';

const ALARM = 'checkout errors';

/** The deployed schedule applies a step of a plan, and the deployed function guard undoes it. */
export function planCases(deployment: Deployment, target: Target): void {
  describe('a plan with a guard on the deployed table', () => {
    const cloudWatch = new CloudWatchClient(deployment.emulator.clientConfig);
    const setAlarm = (StateValue: 'OK' | 'ALARM') =>
      cloudWatch.send(new SetAlarmStateCommand({ AlarmName: ALARM, StateValue, StateReason: 'test' }));

    beforeAll(async () => {
      await cloudWatch.send(
        new PutMetricAlarmCommand({
          AlarmName: ALARM,
          Namespace: 'Shop',
          MetricName: 'CheckoutErrors',
          Statistic: 'Sum',
          Period: 60,
          EvaluationPeriods: 1,
          Threshold: 5,
          ComparisonOperator: 'GreaterThanThreshold',
        }),
      );
      await setAlarm('OK');
    });
    afterAll(async () => {
      await cloudWatch.send(new DeleteAlarmsCommand({ AlarmNames: [ALARM] }));
      cloudWatch.destroy();
    });

    test('is applied by the schedule and undone because of its alarm; the Node SDK sees both', async () => {
      const workspace = await Workspace.create(target, [{ kind: 'flag', document: simpleFlag('checkout') }]);
      const sdk = await NodeSdk.start(workspace);
      await sdk.becomes('checkout', 'true');

      const at = new Date(Date.now() + 10_000).toISOString();
      const guarding = ['--guard', ALARM, '--watch', '1h'];
      await flagsCli(deployment, 'off', 'checkout', '--at', at, ...guarding, '--env', workspace.envId);
      await sdk.becomes('checkout', 'false');

      await setAlarm('ALARM');
      // The emulator sends no events of alarms, and accepts none of the source aws.cloudwatch.
      const event = { 'detail-type': 'CloudWatch Alarm State Change', detail: { alarmName: ALARM } };
      expect(await invokeFunction(deployment, 'functions/lambda/guard.ts', event)).toBe('null');
      await sdk.becomes('checkout', 'true');
      expect(await flagsCli(deployment, 'plan', 'list', '--env', workspace.envId)).toMatchObject([
        {
          state: {
            kind: 'paused',
            guard: ALARM,
            reason: `guard "${ALARM}" is in ALARM; the applied steps were undone`,
          },
          steps: [{ outcome: { kind: 'undone' } }, { isWatch: true }],
        },
      ]);
      await sdk.close();
    });
  });
}

/**
 * Calls a deployed function with an event, and waits for its end.
 *
 * @param entry its source file
 * @returns its result as JSON
 * @throws Error when no stack has the function
 */
async function invokeFunction({ emulator, stacks }: Deployment, entry: string, event: object): Promise<string> {
  for (const [stackName, { template }] of Object.entries(stacks)) {
    const found = Object.entries(template.Resources).find(([, { Metadata }]) => Metadata?.[entryMetadata] === entry);
    if (!found) continue;
    const name = (await physicalIds(emulator, stackName)).get(found[0]);
    const path = `/2015-03-31/functions/${name}/invocations`;
    return callAws(emulator, { service: 'lambda', path, body: JSON.stringify(event) });
  }
  throw new Error(`no stack has a function for ${entry}`);
}
