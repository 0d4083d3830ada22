import { Alarm, ComparisonOperator, type IMetric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { type ITopic, Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import { omitUndefined } from '../../../shared/runtime/omitUndefined.ts';
import type { Config } from '../../config/config.ts';
import { deploymentName } from '../../config/deploymentName.ts';

/** An alarm, and the text of its mail: the problem, then the fix. */
export interface Concern {
  readonly name: string;
  readonly metric: IMetric;
  /** The highest value without an alarm. */
  readonly limit: number;
  /** Number of periods above the limit: consecutive, or out of the last `outOf`. */
  readonly periods?: number;
  readonly outOf?: number;
  /** Meaning of a period without data. By default, no problem. */
  readonly missingData?: 'breaching';
  readonly meaning: string;
  /** Whether another alarm covers it about as soon or sooner, or it only warns early. A lean deployment omits it. */
  readonly isDispensable?: true;
}

/** Creates an alarm for each concern. It notifies all topics when it starts and ends. Without topics, CloudWatch shows it. */
export function alarmOn(
  scope: Construct,
  config: Pick<Config, 'name' | 'stage' | 'deployment' | 'mailTopic' | 'alarmTopic'>,
  concerns: readonly Concern[],
): void {
  for (const { name, metric, limit, periods = 1, outOf = periods, missingData, meaning } of concerns) {
    const alarm = new Alarm(scope, name, {
      alarmName: `${deploymentName(config)}-${name}`,
      alarmDescription: meaning,
      metric,
      threshold: limit,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: outOf,
      ...(outOf > periods && { datapointsToAlarm: periods }),
      treatMissingData: missingData === 'breaching' ? TreatMissingData.BREACHING : TreatMissingData.NOT_BREACHING,
    });
    // One by one: with an empty list, old versions of CDK would render empty lists.
    for (const topic of topicsOf(config)) {
      alarm.addAlarmAction(new SnsAction(topic));
      alarm.addOkAction(new SnsAction(topic));
    }
  }
}

/** Topics that get alarms. */
export function topicsOf({ mailTopic, alarmTopic }: Pick<Config, 'mailTopic' | 'alarmTopic'>): ITopic[] {
  return [mailTopic, alarmTopic].filter((topic) => topic !== undefined);
}

/** A topic that mails alarms to an address. @param topicName by default, CloudFormation generates the name */
export function alarmTopicFor(scope: Construct, address: string, topicName?: string): ITopic {
  const topic = new Topic(scope, 'Topic', {
    ...omitUndefined({ topicName }),
    displayName: 'Flagwire alarms',
    enforceSSL: true,
  });
  topic.addSubscription(new EmailSubscription(address));
  // A policy of its own replaces a topic's default policy, with which CloudWatch may publish.
  const { account } = Stack.of(scope);
  topic.grantPublish(
    new ServicePrincipal('cloudwatch.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': account } },
    }),
  );
  return topic as ITopic;
}
