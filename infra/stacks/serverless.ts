import { Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config } from '../config/config.ts';
import { propsOf } from '../config/props.ts';
import { MonthlyBudget } from '../constructs/cost/budget.ts';
import { Flagwire } from '../constructs/flagwire.ts';
import type { FlagwireTables } from '../constructs/flagwireTables.ts';
import { addOutputs } from '../constructs/outputs.ts';

/** The service on API Gateway and Lambda. It costs almost nothing while no client is connected. */
export class ServerlessStack extends Stack {
  readonly flagwire: Flagwire;

  constructor(scope: Construct, id: string, config: Config, tables: FlagwireTables, props: StackProps) {
    super(scope, id, props);
    this.flagwire = new Flagwire(this, 'Default', { ...propsOf(this, config), tables });
    // A host's stack imports it, also one that is no longer in the settings, until it is destroyed.
    this.exportValue(this.flagwire.insightStream);
    const { name, stage, monthlyBudget: monthlyUsd, alarmEmail: email } = config;
    if (monthlyUsd !== undefined && email !== undefined)
      new MonthlyBudget(this, 'Budget', { app: name.toLowerCase(), stage, monthlyUsd, email });
    addOutputs(this, this.flagwire.outputs);
  }
}
