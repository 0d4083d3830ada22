import {
  CloudWatchClient,
  DeleteAlarmsCommand,
  PutMetricAlarmCommand,
  SetAlarmStateCommand,
} from '@aws-sdk/client-cloudwatch';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readAlarms } from '../../../../shared/runtime/alarms.ts';
import { NodeSdk } from '../../conformance/clients/nodeSdk.ts';
import type { Target } from '../../conformance/target.ts';
import { simpleFlag, Workspace } from '../../conformance/workspace.ts';
import { type Deployment, flagsCli } from '../deployment.ts';
import { invokeFunction } from '../invokeFunction.ts';

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
      const [alarm] = await readAlarms(cloudWatch, [ALARM]);
      // The emulator sends no events of alarms, and accepts none of the source aws.cloudwatch.
      const event = stateChange(alarm?.arn ?? '');
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

/** An event of CloudWatch: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/cloudwatch-and-eventbridge.html */
function stateChange(arn: string): object {
  const metric = { namespace: 'Shop', name: 'CheckoutErrors', dimensions: {} };
  return {
    version: '0',
    id: 'c4c1c1c9-6542-e61b-6ef0-8c4d36933a92',
    'detail-type': 'CloudWatch Alarm State Change',
    source: 'aws.cloudwatch',
    account: '000000000000',
    time: '2026-11-26T09:04:40Z',
    region: 'us-east-1',
    resources: [arn],
    detail: {
      alarmName: ALARM,
      configuration: {
        metrics: [{ id: '30b6c6b2', metricStat: { metric, period: 60, stat: 'Sum' }, returnData: true }],
      },
      previousState: { value: 'OK', reason: 'no errors', timestamp: '2026-11-26T08:04:40.989+0000' },
      state: {
        value: 'ALARM',
        reason: 'Threshold Crossed: 1 out of the last 1 datapoints [7.0] was greater than the threshold (5.0)',
        reasonData: '{"version":"1.0","statistic":"Sum","period":60,"recentDatapoints":[7.0],"threshold":5.0}',
        timestamp: '2026-11-26T09:04:40.989+0000',
      },
    },
  };
}
