import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { configOf, type ServiceProps } from '../config/props.ts';
import { encryptAll } from './customerKey.ts';
import { addOperatorPolicies } from './grants/operatorPolicies.ts';
import { alarmOn, alarmTopicFor, topicsOf } from './observability/concern.ts';
import { addChangeEvents, notifyOfPlans } from './plans/changeEvents.ts';
import { addPlanGuards } from './plans/planGuards.ts';
import { addPlanTick } from './plans/planTick.ts';
import { addConnectionsTable, addFlagsTable, addUsageTable, existingTable } from './tables/tables.ts';

/** Settings of {@link FlagwireTables}: those of {@link ServiceProps} that are about tables, their users and change events. */
export interface FlagwireTablesProps
  extends Pick<
    ServiceProps,
    | 'flagsTable'
    | 'connectionsTable'
    | 'usageWritesPerSecond'
    | 'operatorPolicies'
    | 'removalPolicy'
    | 'kmsKeyArn'
    | 'name'
    | 'eventBus'
    | 'logRetentionDays'
    | 'accessLogRetentionDays'
    | 'tracing'
    | 'alarms'
    | 'lean'
    | 'alarmEmail'
    | 'alarmTopic'
  > {
  /**
   * Names of the stacks whose outputs users of the operator policies read.
   *
   * @default the stack of this construct
   */
  readonly stackNames?: readonly string[];
}

/** The tables of a service, and the functions that apply plans and send change events. Put them into a stack of their own to keep flags when you replace the service. */
export class FlagwireTables extends Construct {
  readonly flags: ITableV2;
  readonly connections: ITableV2;
  /** Base URL of the webhooks of plans. */
  readonly webhookUrl: string;
  /** The table of counted evaluations. Absent if `usageWritesPerSecond` is `off`. */
  readonly usage: ITableV2 | undefined;
  /** @internal The table of counted evaluations, which is unused if nothing is counted. */
  readonly ownUsage: ITableV2;
  /** @internal The topic that mails alarms of all parts of the service. Absent without `alarmEmail`. */
  readonly mailTopic?: ITopic;
  /** @internal The table that the construct created. It stays unused if `flags` is an existing table. */
  readonly own: ITableV2;

  constructor(scope: Construct, id: string, { stackNames, ...props }: FlagwireTablesProps = {}) {
    super(scope, id);
    const settings = configOf(this, props);
    const { operatorPolicies, kmsKeyArn, alarmEmail } = settings;
    const alarms = new Construct(this, 'Alarms');
    const topicName = `${deploymentName(settings)}-alarms`;
    if (alarmEmail !== undefined) this.mailTopic = alarmTopicFor(alarms, alarmEmail, topicName);
    const config = { ...settings, ...omitUndefined({ mailTopic: this.mailTopic }) };
    const { existingStreamArn } = config.flagsTable;
    this.own = addFlagsTable(this, config);
    this.flags = existingStreamArn === undefined ? this.own : existingTable(this, 'ExistingFlags', existingStreamArn);
    this.connections = addConnectionsTable(this, config);
    this.ownUsage = addUsageTable(this, config);
    this.usage = config.usageWritesPerSecond === 'off' ? undefined : this.ownUsage;
    const served = { config, flags: this.flags };
    const ofTick = addPlanTick(this, { ...served, connections: this.connections, usage: this.usage });
    const { webhookUrl, concerns: ofGuards } = addPlanGuards(this, served);
    this.webhookUrl = webhookUrl;
    const ofEvents = config.eventBus === 'off' ? [] : addChangeEvents(this, served);
    // Without these, a lean deployment has as many alarms as are free.
    const concerns = config.alarms && !config.lean ? [...ofTick, ...ofGuards, ...ofEvents] : [];
    alarmOn(alarms, config, concerns);
    const topics = topicsOf(config);
    if (concerns.length > 0 && topics.length > 0 && config.eventBus !== 'off')
      notifyOfPlans(alarms, config.eventBus, topics);
    if (operatorPolicies) {
      const stacks = stackNames ?? [Stack.of(this).stackName];
      addOperatorPolicies(this, this, { ...operatorPolicies, stackNames: stacks });
    }
    if (kmsKeyArn !== undefined) encryptAll(this, kmsKeyArn);
  }
}
