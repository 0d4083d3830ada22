import { EventBus, type IRuleTarget, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events';
import { SnsTopic } from 'aws-cdk-lib/aws-events-targets';
import { FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { addDeadLetters, followTable } from '../eventSources.ts';
import type { Concern } from '../observability/concern.ts';
import { period } from '../observed.ts';
import { READING } from '../onItems.ts';
import { type ServedTables, ServiceFunction } from '../serviceFunction.ts';

/** Retry time for a change that EventBridge does not accept. */
const LONGEST_RETRY = Duration.hours(2);

/** A paused plan. */
const PAUSED_PLAN = { pk: { S: FilterRule.beginsWith('PLAN#') }, pausedAt: { N: FilterRule.exists() } };

/**
 * Adds change events: table stream → Announce → event bus. A change that could not be announced within {@link LONGEST_RETRY} goes to a
 * dead-letter queue for 14 days.
 */
export function addChangeEvents(parent: Construct, { config, flags }: Omit<ServedTables, 'connections'>): Concern[] {
  const scope = new Construct(parent, 'Events');
  const unannounced = addDeadLetters(scope, 'Unannounced');
  const announce = new ServiceFunction(scope, 'Announce', {
    config,
    entry: 'functions/lambda/announce.ts',
    environment: { FLAGS_TABLE: flags.tableName, EVENT_BUS: config.eventBus },
    timeoutSeconds: 30,
    memoryMb: 512,
  });
  announce.allowItems(READING, flags, 'ENV#*', 'HISTORY#*', 'JOURNAL#*');
  announce.allowEvents(config.eventBus);
  announce.allow(['sqs:SendMessage'], [unannounced.queueArn]);
  followTable(announce, flags, {
    // TRIM_HORIZON would repeat the changes of a day when events are turned on.
    startingPosition: StartingPosition.LATEST,
    // A record holds up to 350 KB of documents, and a call 6 MB.
    batchSize: 10,
    // An entry of the history is written once. A deleted entry has no new image.
    filters: [
      { dynamodb: { NewImage: { pk: { S: FilterRule.beginsWith('HISTORY#') } } } },
      { dynamodb: { NewImage: PAUSED_PLAN } },
    ],
    maxRecordAge: LONGEST_RETRY,
    deadLetters: unannounced,
  });
  return [
    {
      name: 'unannounced-changes',
      metric: unannounced.metricApproximateNumberOfMessagesVisible({ statistic: 'Maximum', period }),
      limit: 0,
      meaning:
        'For two hours, changes could not be sent to EventBridge as events, and were moved to the queue of unannounced changes. SDKs have them. Find the cause in the log of announce. docs/events.md#when-events-are-missing says what to do.',
    },
  ];
}

/** Sends a text to topics when a plan is paused or a guard has fired. */
export function notifyOfPlans(scope: Construct, bus: string, topics: readonly ITopic[]): void {
  // An input template does not work: EventBridge does not escape quotes in its values.
  const message = RuleTargetInput.fromEventPath('$.detail.text');
  new Rule(scope, 'Plans', {
    eventBus: bus.startsWith('arn:')
      ? EventBus.fromEventBusArn(scope, 'Bus', bus)
      : EventBus.fromEventBusName(scope, 'Bus', bus),
    eventPattern: { source: ['flagwire'], detailType: ['Plan Paused', 'Guard Fired'] },
    // CDK's statement in the topic's policy has no condition, because EventBridge supports none there: its messages would not arrive. See
    // "Amazon SNS permissions" of https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-use-resource-based.html
    // The cast: CDK's own classes do not fit its interfaces under exactOptionalPropertyTypes.
    targets: topics.map((topic) => new SnsTopic(topic, { message }) as IRuleTarget),
  });
}
