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

/** An alarm, and the text of its mail: what happened, and then what to do. */
export interface Concern {
  readonly name: string;
  readonly metric: IMetric;
  /** The value that is still right. */
  readonly limit: number;
  /** In how many periods it has to be exceeded: in a row, or out of the last `outOf`. */
  readonly periods?: number;
  readonly outOf?: number;
  /** What a period without data means: nothing wrong, unless it is said to be. */
  readonly missingData?: 'breaching';
  readonly meaning: string;
  /** Whether another alarm covers it about as soon or sooner, or it only warns early: a lean deployment leaves it out. */
  readonly isDispensable?: true;
}

/** Makes an alarm of each. They go to all topics of the deployment, also when they are over. Without topics you see them in CloudWatch. */
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
    // One by one: without any, old versions of CDK would render empty lists.
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

/** A topic that mails alarms to an address. @param topicName the name of the topic; CloudFormation's by default */
export function alarmTopicFor(scope: Construct, address: string, topicName?: string): ITopic {
  const topic = new Topic(scope, 'Topic', {
    ...omitUndefined({ topicName }),
    displayName: 'Flagwire alarms',
    enforceSSL: true,
  });
  topic.addSubscription(new EmailSubscription(address));
  // A topic with a policy of its own has lost the one by which CloudWatch may publish.
  const { account } = Stack.of(scope);
  topic.grantPublish(
    new ServicePrincipal('cloudwatch.amazonaws.com', {
      conditions: { StringEquals: { 'aws:SourceAccount': account } },
    }),
  );
  return topic as ITopic;
}
