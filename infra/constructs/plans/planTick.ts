import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';
import { acknowledge } from '../acknowledge.ts';
import { type ItemFamily, itemsUnder } from '../itemsUnder.ts';
import type { Concern } from '../observability/concern.ts';
import { period } from '../observed.ts';
import { ServiceFunction } from '../serviceFunction.ts';

interface PlanTickProps {
  readonly config: Config;
  readonly flags: ITableV2;
  /** Only its name is used. */
  readonly connections: ITableV2;
  /** Only its name is used. */
  readonly usage: ITableV2 | undefined;
}

/** Applies the due steps of plans: schedule → Tick → flags table. A minute without due steps costs one read. */
export class PlanTick extends Construct {
  readonly concerns: readonly Concern[];

  constructor(scope: Construct, id: string, { config, flags, connections, usage }: PlanTickProps) {
    super(scope, id);
    const tick = new ServiceFunction(this, 'Tick', {
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
    const allow = (actions: string[], ...families: readonly ItemFamily[]) =>
      tick.allow(actions, [flags.tableArn], itemsUnder(...families));
    allow(['dynamodb:Query'], 'DUE', 'ENV#*', 'HISTORY#*');
    allow(['dynamodb:GetItem'], 'PLAN#*', 'ENV#*', 'VERSION#*');
    allow(['dynamodb:PutItem'], 'PLAN#*', 'DUE', 'ENV#*', 'VERSION#*', 'JOURNAL#*', 'HISTORY#*');
    allow(['dynamodb:DeleteItem'], 'PLAN#*', 'DUE', 'GUARD#*');
    allow(['dynamodb:GetItem', 'dynamodb:PutItem'], 'SERVICE');
    tick.allow(['cloudwatch:DescribeAlarms', 'tag:GetResources'], ['*']);
    acknowledge(
      tick.role,
      'AwsSolutions-IAM5[Resource::*]',
      'The names of guards are known only when plans are created. tag:GetResources has no narrower resource.',
    );
    tick.callEveryMinute(this);
    this.concerns = [
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
}
