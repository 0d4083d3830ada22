import { createHash } from 'node:crypto';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { CustomResource, Duration, Lazy, Token } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Config } from '../config/config.ts';
import { ServiceFunction } from './serviceFunction.ts';

/**
 * Adds what creates environments at deployment, without secrets: a secret in CloudFormation would be readable later. It also records which
 * functions evaluate flags without counts, so that `flags stale` can name them.
 *
 * @param environments ids by name
 * @returns a function that records that evaluations of a function or container are not counted
 */
export function declareEnvironments(
  parent: Construct,
  config: Config,
  flags: ITableV2,
  environments: Readonly<Record<string, string>>,
): (path: string, environmentId: string) => void {
  const scope = new Construct(parent, 'Environments');
  const declare = new ServiceFunction(scope, 'Declare', {
    config,
    entry: 'functions/lambda/environments.ts',
    environment: { FLAGS_TABLE: flags.tableName },
    timeoutSeconds: 30,
    memoryMb: 256,
  });
  declare.allowItems(['dynamodb:Query', 'dynamodb:PutItem'], flags, 'ENVIRONMENTS', 'ENV#*', 'VERSION#*');
  declare.allowItems(['dynamodb:PutItem'], flags, 'SERVICE');
  const names = Object.entries(environments).map(([name, envId]) => [envId, name]);
  /** Paths of functions and containers, by the id of their environment. */
  const uncounted: Record<string, string[]> = {};
  const resource = new CustomResource(scope, 'Resource', {
    resourceType: 'Custom::FlagwireEnvironments',
    serviceToken: declare.handler.functionArn,
    serviceTimeout: Duration.minutes(2),
    // Stacks without such functions stay as they are.
    properties: {
      Environments: Object.fromEntries(names),
      Uncounted: Lazy.any({ produce: () => (Object.keys(uncounted).length > 0 ? uncounted : undefined) }),
    },
  });
  // The function needs its permissions first.
  resource.node.addDependency(declare);
  return (path, environmentId) => {
    uncounted[environmentId] = [...(uncounted[environmentId] ?? []), path];
  };
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
