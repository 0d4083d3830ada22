import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { CustomResource, Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Config } from '../config/config.ts';
import { itemsUnder } from './itemsUnder.ts';
import { ServiceFunction } from './serviceFunction.ts';

/** Environments to create. */
interface DeclaredEnvironmentsProps {
  readonly config: Config;
  readonly flags: ITableV2;
  /** Ids by name. */
  readonly environments: Readonly<Record<string, string>>;
}

/** Creates environments at deployment, without secrets: a secret in CloudFormation would be readable later. */
export class DeclaredEnvironments extends Construct {
  constructor(scope: Construct, id: string, { config, flags, environments }: DeclaredEnvironmentsProps) {
    super(scope, id);
    const declare = new ServiceFunction(this, 'Declare', {
      config,
      entry: 'functions/lambda/environments.ts',
      environment: { FLAGS_TABLE: flags.tableName },
      timeoutSeconds: 30,
      memoryMb: 256,
    });
    const families = itemsUnder('ENVIRONMENTS', 'ENV#*', 'VERSION#*');
    declare.allow(['dynamodb:Query', 'dynamodb:PutItem'], [flags.tableArn], families);
    const names = Object.entries(environments).map(([name, envId]) => [envId, name]);
    const resource = new CustomResource(this, 'Resource', {
      resourceType: 'Custom::FlagwireEnvironments',
      serviceToken: declare.handler.functionArn,
      serviceTimeout: Duration.minutes(2),
      properties: { Environments: Object.fromEntries(names) },
    });
    // The function needs its permissions first.
    resource.node.addDependency(declare);
  }
}
