import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Alias,
  Architecture,
  type CfnFunction,
  Code,
  type IFunction,
  type IVersion,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
  RuntimeFamily,
  SystemLogLevel,
  Tracing,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { bundleFunction } from '../bundles.ts';
import type { Concurrency, Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { acknowledge } from './acknowledge.ts';
import { entryMetadata } from './lambdaEntry.ts';
import { retentionOf } from './retention.ts';

/** Older versions of CDK, which flagwire-cdk supports, do not name it. */
const NODE_24 = new Runtime('nodejs24.x', RuntimeFamily.NODEJS, { supportsInlineCode: true });

/** Settings of one Lambda function. */
interface ServiceFunctionProps {
  readonly config: Config;
  /** The file that exports `handler`, from the repository's root, e.g. `functions/lambda/sync.ts`. */
  readonly entry: string;
  /** Additional environment variables. Every function has `STAGE`, a dimension of its metrics. */
  readonly environment?: { readonly [name: string]: string };
  readonly timeoutSeconds: number;
  /** Memory in MB, and with it the share of a CPU: more makes cold starts shorter, and each millisecond dearer. */
  readonly memoryMb: number;
  readonly concurrency?: Concurrency;
}

/**
 * A Lambda function of the service: Node 24 on arm64, one bundled ES module, its own log group, its own role.
 *
 * The role starts with nothing but writing to that log group; whatever else is said with {@link allow}.
 * The function's resource names its entry file in its metadata, so that the template alone is enough to run it.
 */
export class ServiceFunction extends Construct {
  readonly handler: LambdaFunction;
  /** What is to be called: the function, or the alias that keeps instances warm. */
  readonly target: IFunction;
  readonly role: Role;
  readonly memoryMb: number;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { config, concurrency = {} } = props;
    this.memoryMb = props.memoryMb;
    const logGroup = new LogGroup(this, 'Logs', {
      retention: config.logRetentionDays,
      removalPolicy: retentionOf(config),
    });
    this.logGroup = logGroup;
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(this.role);

    this.handler = new LambdaFunction(this, 'Handler', {
      code: codeOf(this, props.entry),
      handler: 'index.handler',
      runtime: NODE_24,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMb,
      timeout: Duration.seconds(props.timeoutSeconds),
      environment: { STAGE: deploymentName(config), ...props.environment },
      role: this.role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Without a line at each start and end of a call; their figures are metrics.
      systemLogLevelV2: SystemLogLevel.WARN,
      ...(config.tracing && { tracing: Tracing.ACTIVE }),
      ...(concurrency.reserved !== undefined && { reservedConcurrentExecutions: concurrency.reserved }),
    });
    (this.handler.node.defaultChild as CfnFunction).addMetadata(entryMetadata, props.entry);
    if (config.tracing) {
      acknowledge(
        this.role,
        'AwsSolutions-IAM5[Resource::*]',
        'X-Ray takes traces by account; it has no resources to name.',
      );
    }
    // The casts: CDK's own classes do not fit its interfaces under exactOptionalPropertyTypes.
    this.target = (this.#warmAlias(concurrency.provisioned) ?? this.handler) as IFunction;
  }

  /**
   * Lets the function do `actions` on `resources`, and nothing else.
   *
   * @param conditions IAM conditions, e.g. those of `itemsUnder`
   */
  allow(actions: string[], resources: string[], conditions: PolicyConditions = {}): void {
    this.role.addToPrincipalPolicy(new PolicyStatement({ actions, resources, conditions }));
  }

  /** Lambda keeps instances warm for a version, which callers reach by an alias. */
  #warmAlias(provisioned: number | undefined): Alias | undefined {
    return provisioned === undefined
      ? undefined
      : new Alias(this, 'Warm', {
          aliasName: 'warm',
          version: this.handler.currentVersion as IVersion,
          provisionedConcurrentExecutions: provisioned,
        });
  }
}

/** IAM conditions: operator → condition key → values. */
export type PolicyConditions = { [operator: string]: { [key: string]: string[] } };

/**
 * The bundled entry; or, where bundling is off for the stack, nothing that runs: then only the template is wanted,
 * and neither the entry file nor esbuild has to be there.
 */
function codeOf(scope: Construct, entry: string): Code {
  return Stack.of(scope).bundlingRequired
    ? Code.fromAsset(bundleFunction(entry))
    : Code.fromInline(`// ${entry}, not bundled`);
}
