import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config } from '../config/config.ts';
import { propsOf } from '../config/props.ts';
import { MonthlyBudget } from '../constructs/cost/budget.ts';
import { Flagwire } from '../constructs/flagwire.ts';
import type { FlagwireTables } from '../constructs/flagwireTables.ts';
import { functionsOf, type ObservedDeployment } from '../constructs/observed.ts';
import { addOutputs } from '../constructs/outputs.ts';
import { accessLogGroupOf } from '../constructs/streaming/accessLogs.ts';

/** The service on API Gateway and Lambda. It costs almost nothing while no client is connected. */
export class ServerlessStack extends Stack {
  readonly flagwire: Flagwire;

  constructor(scope: Construct, id: string, config: Config, tables: FlagwireTables, props: StackProps) {
    super(scope, id, props);
    this.flagwire = new Flagwire(this, 'Default', { ...propsOf(this, config), tables });
    keepExports(this, this.flagwire.observed);
    const { name, stage, monthlyBudget: monthlyUsd, alarmEmail: email } = config;
    if (monthlyUsd !== undefined && email !== undefined)
      new MonthlyBudget(this, 'Budget', { app: name.toLowerCase(), stage, monthlyUsd, email });
    addOutputs(this, this.flagwire.outputs);
  }
}

/** Exports the former values of the host's dashboard. A stack of the previous release may still import them. */
function keepExports(
  stack: ServerlessStack,
  { streaming, http, push, insightStream, ...observed }: ObservedDeployment,
): void {
  stack.exportValue(streaming.apiId);
  stack.exportValue(http.apiId);
  stack.exportValue(push.queue.queueName);
  stack.exportValue(insightStream);
  for (const api of [streaming, http]) {
    const logs = accessLogGroupOf(api);
    if (logs) stack.exportValue(logs.logGroupName);
  }
  for (const { handler, logGroup } of Object.values(
    functionsOf({ streaming, http, push, insightStream, ...observed }),
  )) {
    stack.exportValue(handler.functionName);
    stack.exportValue(logGroup.logGroupName);
  }
}
