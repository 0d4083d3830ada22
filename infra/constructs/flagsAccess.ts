import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { ContainerDefinition } from 'aws-cdk-lib/aws-ecs';
import { Grant, type IGrantable, type PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Stack, Token } from 'aws-cdk-lib/core';
import { Construct, type IConstruct } from 'constructs';
import { isGuid } from '../../shared/protocol/guid.ts';
import type { Config } from '../config/config.ts';
import { usingKey } from './customerKey.ts';
import { changingEnvironment, countingUsage, readingEnvironment } from './grants/environmentGrants.ts';
import { onItems, READING } from './onItems.ts';

/** Settings of `addTo`. */
export interface AddToOptions {
  /**
   * Count evaluations of the provider, by flag, variation and hour.
   *
   * @default false
   */
  readonly usage?: boolean;
}

/** The attributes of an existing flags table. */
export interface FlagsTableAttributes {
  /** ARN of the flags table: `arn:aws:dynamodb:<region>:<account>:table/<output FlagsTableName>`. */
  readonly flagsTableArn: string;
  /**
   * Ids of environments by name.
   *
   * @default grants need ids
   */
  readonly environments?: Readonly<Record<string, string>>;
  /**
   * The customer's key that encrypts the table.
   *
   * @default a key of AWS
   */
  readonly kmsKeyArn?: string;
  /**
   * ARN of the table of counted evaluations, for a `FlagwireHost` and for `addTo` with `usage`.
   *
   * @default no evaluations are counted
   */
  readonly usageTableArn?: string;
  /**
   * The setting `missingAttribute` of the service.
   *
   * @default empty
   */
  readonly missingAttribute?: 'empty' | 'no-match';
}

/** The environment of each function and container that has one. */
const environmentsByTarget = new WeakMap<IConstruct, string>();

/** The flags of a service, for other resources. */
export abstract class FlagsAccess extends Construct {
  abstract readonly flagsTable: ITableV2;
  /** @internal */
  abstract readonly config: Pick<Config, 'kmsKeyArn' | 'missingAttribute'>;
  /** @internal Table of counted evaluations. Undefined if nothing is counted. */
  abstract readonly usageTable: ITableV2 | undefined;
  /** Ids of environments by name. */
  abstract readonly environments: Readonly<Record<string, string>>;

  /**
   * The id of an environment.
   *
   * @param environment its name, or its id
   * @throws Error if this service does not declare the environment
   */
  environmentId(environment: string): string {
    const id = this.environments[environment] ?? environment;
    if (isGuid(id)) return id;
    const known = Object.keys(this.environments).join(', ') || 'none';
    throw new Error(
      `${this.node.path} has no environment ${environment} (it has: ${known}): add it to the property environments, or name its id`,
    );
  }

  /**
   * Lets a Lambda function or a container evaluate the flags of one environment with the package `flagwire-provider`: sets the
   * variables that the provider reads, and allows its role to read the environment ({@link grantRead}).
   *
   * @param environment its name, or its id
   * @throws Error for a second environment, for Lambda@Edge, and if evaluations cannot be counted
   */
  addTo(
    target: LambdaFunction | ContainerDefinition,
    environment: string,
    { usage = false }: AddToOptions = {},
  ): Grant {
    const id = this.environmentId(environment);
    const { path } = target.node;
    const { usageTable } = this;
    // An EdgeFunction of CDK has no such method. For other functions, CDK refuses variables at the edge.
    if (!('addEnvironment' in target))
      throw new Error(`${path} cannot have variables, as functions of Lambda@Edge: evaluate flags over OFREP there`);
    const accounts = [Stack.of(target).account, this.flagsTable.env.account];
    if (new Set(accounts).size > 1 && !accounts.some((account) => Token.isUnresolved(account)))
      throw new Error(`${path} is in another account than the flags table: evaluate flags over OFREP there`);
    if (environmentsByTarget.has(target))
      throw new Error(
        `${path} already evaluates flags of environment ${environmentsByTarget.get(target)}: it can have one`,
      );
    if (usage && !usageTable)
      throw new Error(`${this.node.path} has no table for usage: set usageWritesPerSecond or usageTableArn`);
    environmentsByTarget.set(target, environment);
    const grantee = 'taskDefinition' in target ? target.taskDefinition.taskRole : target;
    const statements = [readingEnvironment(this.flagsTable, id)];
    const { missingAttribute } = this.config;
    target.addEnvironment('FLAGS_TABLE', nameFor(target, this.flagsTable));
    target.addEnvironment('FLAGS_ENVIRONMENT', id);
    if (missingAttribute !== 'empty') target.addEnvironment('FLAGS_MISSING_ATTRIBUTE', missingAttribute);
    if (usage && usageTable) {
      target.addEnvironment('FLAGS_USAGE_TABLE', nameFor(target, usageTable));
      statements.push(countingUsage(usageTable, id));
    } else this.recordUncounted(path, id);
    return this.#grant(grantee, statements);
  }

  /**
   * Allows a principal to read the flags and segments of one environment from the table.
   *
   * @param environment its name, or its id
   */
  grantRead(grantee: IGrantable, environment: string): Grant {
    return this.#grant(grantee, [readingEnvironment(this.flagsTable, this.environmentId(environment))]);
  }

  /**
   * Allows a principal to read and change the flags and segments of one environment, as the command line does. The principal
   * also sees the names of all environments.
   *
   * @param environment its name, or its id
   */
  grantEdit(grantee: IGrantable, environment: string): Grant {
    const id = this.environmentId(environment);
    return this.#grant(grantee, [
      readingEnvironment(this.flagsTable, id),
      onItems(this.flagsTable, READING, ['SERVICE', 'ENVIRONMENTS', `HISTORY#${id}`, `PLAN#${id}`, `HOOK#${id}`]),
      changingEnvironment(this.flagsTable, id),
    ]);
  }

  /** @internal Notes that evaluations of a function or container are not counted. A service of another app has no place for it. */
  recordUncounted(_path: string, _environmentId: string): void {}

  #grant(grantee: IGrantable, statements: PolicyStatement[]): Grant {
    const { kmsKeyArn } = this.config;
    const { region } = this.flagsTable.env;
    if (kmsKeyArn !== undefined) statements.push(usingKey(kmsKeyArn, 'dynamodb', ['kms:Decrypt'], region));
    return statements
      .map(({ actions, resources: resourceArns, conditions }) =>
        Grant.addToPrincipal({ grantee, actions, resourceArns, conditions }),
      )
      .reduce((all, grant) => all.combine(grant));
  }
}

/** The name of a table for a function in its region and account. Otherwise its ARN, which has both. Containers on EC2 do not know their region. */
function nameFor(target: LambdaFunction | ContainerDefinition, { env, tableName, tableArn }: ITableV2): string {
  const { region, account } = Stack.of(target);
  const isNear = !('taskDefinition' in target) && env.region === region && env.account === account;
  return isNear ? tableName : tableArn;
}
