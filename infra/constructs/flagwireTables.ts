import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { mailTopicName } from '../config/deploymentName.ts';
import { configOf, type ServiceProps } from '../config/props.ts';
import { encryptAll } from './customerKey.ts';
import { OperatorPolicies } from './grants/operatorPolicies.ts';
import { alarmOn, alarmTopicFor, type Concern, topicsOf } from './observability/concern.ts';
import { ChangeEvents, notifyOfPlans } from './plans/changeEvents.ts';
import { PlanGuards } from './plans/planGuards.ts';
import { PlanTick } from './plans/planTick.ts';
import { ConnectionsTable, existingTable, FlagsTable, UsageTable } from './tables/tables.ts';

const SETTINGS = [
  'flagsTable',
  'connectionsTable',
  'usageWritesPerSecond',
  'operatorPolicies',
  'removalPolicy',
  'kmsKeyArn',
  'name',
  'eventBus',
  'logRetentionDays',
  'tracing',
  'alarms',
  'lean',
  'alarmEmail',
  'alarmTopic',
] as const satisfies (keyof ServiceProps)[];

/** Settings of {@link FlagwireTables}: those of {@link ServiceProps} that are about tables, their users and change events. */
export interface FlagwireTablesProps extends Pick<ServiceProps, (typeof SETTINGS)[number]> {
  /**
   * Names of the stacks whose outputs users of the operator policies read.
   *
   * @default the stack of this construct
   */
  readonly stackNames?: readonly string[];
}

/** @internal The settings of a service that its tables share. */
export function tablesPropsOf(props: ServiceProps): Pick<ServiceProps, (typeof SETTINGS)[number]> {
  return Object.fromEntries(SETTINGS.flatMap((name) => (props[name] === undefined ? [] : [[name, props[name]]])));
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
    if (alarmEmail !== undefined) this.mailTopic = alarmTopicFor(alarms, alarmEmail, mailTopicName(settings));
    const config = { ...settings, ...omitUndefined({ mailTopic: this.mailTopic }) };
    const { existingStreamArn } = config.flagsTable;
    // The casts: CDK's own classes do not fit its interfaces under exactOptionalPropertyTypes.
    this.own = new FlagsTable(this, 'Flags', config) as ITableV2;
    this.flags = existingStreamArn === undefined ? this.own : existingTable(this, 'ExistingFlags', existingStreamArn);
    this.connections = new ConnectionsTable(this, 'Connections', config) as ITableV2;
    this.ownUsage = new UsageTable(this, 'Usage', config) as ITableV2;
    this.usage = config.usageWritesPerSecond === 'off' ? undefined : this.ownUsage;
    const served = { config, flags: this.flags };
    const tick = new PlanTick(this, 'Plans', { ...served, connections: this.connections, usage: this.usage });
    const guards = new PlanGuards(this, 'Guards', served);
    this.webhookUrl = guards.webhookUrl;
    const parts: { readonly concerns: readonly Concern[] }[] = [tick, guards];
    if (config.eventBus !== 'off') parts.push(new ChangeEvents(this, 'Events', served));
    // Without these, a lean deployment has as many alarms as are free.
    const concerns = config.alarms && !config.lean ? parts.flatMap((part) => part.concerns) : [];
    alarmOn(alarms, config, concerns);
    const topics = topicsOf(config);
    if (concerns.length > 0 && topics.length > 0 && config.eventBus !== 'off')
      notifyOfPlans(alarms, config.eventBus, topics);
    if (operatorPolicies) {
      const stacks = stackNames ?? [Stack.of(this).stackName];
      new OperatorPolicies(this, 'Operators', this, { ...operatorPolicies, stackNames: stacks });
    }
    if (kmsKeyArn !== undefined) encryptAll(this, kmsKeyArn);
  }
}
