import { createHash } from 'node:crypto';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { CustomResource, Duration, Lazy, Token } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Config } from '../config/config.ts';
import { ServiceFunction } from './serviceFunction.ts';

/** Environments to create. */
interface DeclaredEnvironmentsProps {
  readonly config: Config;
  readonly flags: ITableV2;
  /** Ids by name. */
  readonly environments: Readonly<Record<string, string>>;
}

/**
 * Creates environments at deployment, without secrets: a secret in CloudFormation would be readable later. It also records which functions
 * evaluate flags without counts, so that `flags stale` can name them.
 */
export class DeclaredEnvironments extends Construct {
  /** Paths of functions and containers, by the id of their environment. */
  readonly #uncounted: Record<string, string[]> = {};

  constructor(scope: Construct, id: string, { config, flags, environments }: DeclaredEnvironmentsProps) {
    super(scope, id);
    const declare = new ServiceFunction(this, 'Declare', {
      config,
      entry: 'functions/lambda/environments.ts',
      environment: { FLAGS_TABLE: flags.tableName },
      timeoutSeconds: 30,
      memoryMb: 256,
    });
    declare.allowItems(['dynamodb:Query', 'dynamodb:PutItem'], flags, 'ENVIRONMENTS', 'ENV#*', 'VERSION#*');
    declare.allowItems(['dynamodb:PutItem'], flags, 'SERVICE');
    const names = Object.entries(environments).map(([name, envId]) => [envId, name]);
    const resource = new CustomResource(this, 'Resource', {
      resourceType: 'Custom::FlagwireEnvironments',
      serviceToken: declare.handler.functionArn,
      serviceTimeout: Duration.minutes(2),
      // Stacks without such functions stay as they are.
      properties: {
        Environments: Object.fromEntries(names),
        Uncounted: Lazy.any({ produce: () => (Object.keys(this.#uncounted).length > 0 ? this.#uncounted : undefined) }),
      },
    });
    // The function needs its permissions first.
    resource.node.addDependency(declare);
  }

  /** Records that evaluations of a function or container are not counted. */
  recordUncounted(path: string, environmentId: string): void {
    this.#uncounted[environmentId] = [...(this.#uncounted[environmentId] ?? []), path];
  }
}

/** Ids of the environments that a stack declares. They depend only on stack and names, so that policies can contain them. */
export function idsOf(names: readonly string[], stackName: string): Record<string, string> {
  if (names.length > 0 && Token.isUnresolved(stackName)) {
    throw new Error('environments need a stack whose name is known: ids of environments follow from the stack name');
  }
  return Object.fromEntries(names.map((name) => [name, guidFor(`${stackName}/${name}`)]));
}

/** A version 8 UUID (RFC 9562). */
function guidFor(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
