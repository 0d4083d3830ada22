import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IRuleTarget, Rule, Schedule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction as LambdaTarget } from 'aws-cdk-lib/aws-events-targets';
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
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import { ArnFormat, Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { bundleFunction } from '../bundles.ts';
import type { Concurrency, Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { acknowledgeAll } from './acknowledge.ts';
import { entryMetadata } from './lambdaEntry.ts';
import { type ItemFamily, onItems } from './onItems.ts';
import { addLogGroup } from './retention.ts';

/** Older versions of CDK, which flagwire-cdk supports, lack this runtime. */
const NODE_24 = new Runtime('nodejs24.x', RuntimeFamily.NODEJS, { supportsInlineCode: true });

/** The configuration of a service, and its tables. */
export interface ServedTables {
  readonly config: Config;
  readonly flags: ITableV2;
  readonly connections: ITableV2;
}

/** Settings of one Lambda function. */
interface ServiceFunctionProps {
  readonly config: Config;
  /** The file that exports `handler`, relative to the root of the repository, e.g. `functions/lambda/sync.ts`. */
  readonly entry: string;
  /** Additional environment variables. Every function has `STAGE`, a dimension of its metrics. */
  readonly environment?: { readonly [name: string]: string };
  readonly timeoutSeconds: number;
  /** Memory in MB, which also sets the share of a vCPU: more memory makes cold starts shorter, and each millisecond more expensive. */
  readonly memoryMb: number;
  readonly concurrency?: Concurrency;
}

/**
 * A Lambda function of the service: Node 24 on arm64, one bundled ES module, its own log group, its own role.
 *
 * At first, the role may only write to that log group. {@link allow} adds permissions. The metadata of the function's resource names its
 * entry file, so that the template is enough to run it.
 */
export class ServiceFunction extends Construct {
  readonly handler: LambdaFunction;
  /** The function to call, or the alias that keeps instances warm. */
  readonly target: IFunction;
  readonly role: Role;
  readonly logGroup: LogGroup;

  constructor(scope: Construct, id: string, props: ServiceFunctionProps) {
    super(scope, id);
    const { config, concurrency = {} } = props;
    const logGroup = addLogGroup(this, config);
    this.logGroup = logGroup;
    this.role = new Role(this, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
    logGroup.grantWrite(this.role);

    this.handler = new LambdaFunction(this, 'Handler', {
      // Without bundling, only the template is needed: entry file and esbuild may be missing.
      code: Stack.of(this).bundlingRequired
        ? Code.fromAsset(bundleFunction(props.entry))
        : Code.fromInline(`// ${props.entry}, not bundled`),
      handler: 'index.handler',
      runtime: NODE_24,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMb,
      timeout: Duration.seconds(props.timeoutSeconds),
      environment: { STAGE: deploymentName(config), ...props.environment },
      role: this.role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // Without a log line at each start and end of a call. Metrics have their figures.
      systemLogLevelV2: SystemLogLevel.WARN,
      ...(config.tracing && { tracing: Tracing.ACTIVE }),
      ...(concurrency.reserved !== undefined && { reservedConcurrentExecutions: concurrency.reserved }),
    });
    (this.handler.node.defaultChild as CfnFunction).addMetadata(entryMetadata, props.entry);
    if (config.tracing) {
      acknowledgeAll(this.role, 'X-Ray takes traces by account; it has no resources to name.');
    }
    // The casts: CDK's own classes do not fit its interfaces under exactOptionalPropertyTypes.
    this.target = (this.#warmAlias(concurrency.provisioned) ?? this.handler) as IFunction;
  }

  /** Allows the function to do `actions` on `resources`. */
  allow(actions: string[], resources: string[]): void {
    this.role.addToPrincipalPolicy(new PolicyStatement({ actions, resources }));
  }

  /** Allows the function to do `actions` on the items of a table that belong to `families`. */
  allowItems(actions: string[], table: ITableV2, ...families: readonly ItemFamily[]): void {
    this.role.addToPrincipalPolicy(onItems(table, actions, families));
  }

  /** Allows the function to put events on a bus. @param bus its name or ARN */
  allowEvents(bus: string): void {
    const { SLASH_RESOURCE_NAME: arnFormat } = ArnFormat;
    const named = { service: 'events', resource: 'event-bus', resourceName: bus, arnFormat };
    this.allow(['events:PutEvents'], [bus.startsWith('arn:') ? bus : Stack.of(this).formatArn(named)]);
  }

  /** Calls the function every minute, the shortest period of a schedule. Throttled calls do not accumulate: the next one does their work. */
  callEveryMinute(scope: Construct): void {
    const period = Duration.minutes(1);
    this.handler.configureAsyncInvoke({ maxEventAge: period, retryAttempts: 0 });
    // The cast: CDK's own classes do not fit its interfaces under exactOptionalPropertyTypes.
    const target = new LambdaTarget(this.handler) as IRuleTarget;
    new Rule(scope, 'Schedule', { schedule: Schedule.rate(period), targets: [target] });
  }

  /** Lambda keeps instances warm for a version, which callers reach through an alias. */
  #warmAlias(provisioned: number | undefined): Alias | undefined {
    if (provisioned === undefined) return undefined;
    const version = this.handler.currentVersion as IVersion;
    return new Alias(this, 'Warm', { aliasName: 'warm', version, provisionedConcurrentExecutions: provisioned });
  }
}
