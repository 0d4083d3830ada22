import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import { acknowledgeAll } from '../acknowledge.ts';
import type { Concern } from '../observability/concern.ts';
import { period } from '../observed.ts';
import { type ServedTables, ServiceFunction } from '../serviceFunction.ts';

/** Of the other tables than `flags`, only the names are used. */
interface PlanTickProps extends ServedTables {
  readonly usage: ITableV2 | undefined;
}

/** Adds what applies the due steps of plans: schedule → Tick → flags table. A minute without due steps costs one read. */
export function addPlanTick(parent: Construct, { config, flags, connections, usage }: PlanTickProps): Concern[] {
  const scope = new Construct(parent, 'Plans');
  const tick = new ServiceFunction(scope, 'Tick', {
    config,
    entry: 'functions/lambda/tick.ts',
    environment: {
      FLAGS_TABLE: flags.tableName,
      CONNECTIONS_TABLE: connections.tableName,
      ...(usage && { USAGE_TABLE: usage.tableName }),
    },
    timeoutSeconds: 60,
    memoryMb: 512,
  });
  tick.allowItems(['dynamodb:Query'], flags, 'DUE', 'ENV#*', 'HISTORY#*');
  tick.allowItems(['dynamodb:GetItem'], flags, 'PLAN#*', 'ENV#*', 'VERSION#*');
  tick.allowItems(['dynamodb:PutItem'], flags, 'PLAN#*', 'DUE', 'ENV#*', 'VERSION#*', 'JOURNAL#*', 'HISTORY#*');
  tick.allowItems(['dynamodb:DeleteItem'], flags, 'PLAN#*', 'DUE', 'GUARD#*');
  tick.allowItems(['dynamodb:GetItem', 'dynamodb:PutItem'], flags, 'SERVICE');
  tick.allow(['cloudwatch:DescribeAlarms', 'tag:GetResources'], ['*']);
  acknowledgeAll(
    tick.role,
    'The names of guards are known only when plans are created. tag:GetResources has no narrower resource.',
  );
  tick.callEveryMinute(scope);
  return [
    {
      name: 'plan-errors',
      metric: tick.handler.metricErrors({ statistic: 'Sum', period }),
      limit: 0,
      periods: 2,
      outOf: 3,
      meaning:
        'Steps of plans could not be applied, and are retried each minute. Find the plan and the cause in the log of tick. To stop a plan, run: plan abort <id>.',
    },
  ];
}
