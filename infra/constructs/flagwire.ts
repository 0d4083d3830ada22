import { createHash } from 'node:crypto';
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import { type ITableV2, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable, type PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Stack, Token } from 'aws-cdk-lib/core';
import { Construct, type IConstruct } from 'constructs';
import { isGuid } from '../../shared/protocol/guid.ts';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { configOf, type ServiceProps } from '../config/props.ts';
import type { Design } from './cost/costDashboard.ts';
import { serverlessDesign } from './cost/serverlessCost.ts';
import { encryptAll, usingKey } from './customerKey.ts';
import { changingEnvironment, onItems, readingEnvironment } from './environmentGrants.ts';
import { DeclaredEnvironments } from './environments.ts';
import { FlagsHttpApi } from './flagsHttpApi.ts';
import { FlagwireTables, tablesPropsOf } from './flagwireTables.ts';
import { Healing } from './healing.ts';
import { InsightStream } from './insightStream.ts';
import { Alarms } from './observability/alarms.ts';
import { ServiceDashboard } from './observability/dashboard.ts';
import type { ObservedDeployment } from './observed.ts';
import { type Outputs, urlOutputs } from './outputs.ts';
import { PushPipeline } from './pushPipeline.ts';
import { RegionalHosts } from './regionalHosts.ts';
import { SingleHost } from './singleHost.ts';
import { StreamingApi } from './streamingApi.ts';

/** A service: one that a stack creates, or an existing one. */
export interface IFlagwire extends IConstruct {
  readonly flagsTable: ITableV2;
  /** Streaming URL for SDKs. */
  readonly streamingUrl: string;
  /** Polling URL for SDKs, and base URL of the HTTP API. */
  readonly pollingUrl: string;
  /** Events URL for SDKs. */
  readonly eventsUrl: string;

  /**
   * The id of an environment.
   *
   * @param environment its name, or its id
   * @throws Error if this service does not declare the environment
   */
  environmentId(environment: string): string;

  /**
   * Allows a principal to read the flags and segments of one environment from the table.
   *
   * @param environment its name, or its id
   */
  grantRead(grantee: IGrantable, environment: string): Grant;

  /**
   * Allows a principal to read and change the flags and segments of one environment, as the command line does. The principal
   * also sees the names of all environments.
   *
   * @param environment its name, or its id
   */
  grantEdit(grantee: IGrantable, environment: string): Grant;

  /** New connections. Sum over 5 minutes by default. */
  metricConnections(options?: MetricOptions): Metric;

  /** Duration of data-syncs in milliseconds. 99th percentile over 5 minutes by default. */
  metricSyncLatency(options?: MetricOptions): Metric;

  /** @internal */
  readonly config: Config;
  /** @internal Name of the delivery stream for insight events. */
  readonly insightStream: string;
}

/** What identifies an existing service. */
export interface FlagwireAttributes {
  /** ARN of the flags table: `arn:aws:dynamodb:<region>:<account>:table/<output FlagsTableName>`. */
  readonly flagsTableArn: string;
  readonly streamingUrl: string;
  /** URL of the HTTP API: polling and events. */
  readonly httpUrl: string;
  /** Prefix of names, which is a dimension of the metrics: `<name>-<stage>`, such as `Flagwire-prod`, or `FlagwireProps.name`. */
  readonly name: string;
  /**
   * Ids of environments by name.
   *
   * @default grants need ids
   */
  readonly environments?: Readonly<Record<string, string>>;
  /**
   * Name of the delivery stream for SDK events, which a `FlagwireHost` needs.
   *
   * @default no FlagwireHost for this service
   */
  readonly insightStream?: string;
  /**
   * The customer's key that encrypts the table.
   *
   * @default a key of AWS
   */
  readonly kmsKeyArn?: string;
}

/** Settings of {@link Flagwire}. */
export interface FlagwireProps extends ServiceProps {
  /**
   * Tables that another construct creates, for example in another stack. The settings of tables are then those of that construct.
   *
   * @default tables of its own
   */
  readonly tables?: FlagwireTables;
}

abstract class FlagwireBase extends Construct implements IFlagwire {
  abstract readonly flagsTable: ITableV2;
  abstract readonly streamingUrl: string;
  abstract readonly pollingUrl: string;
  /** @internal */
  abstract readonly config: Config;
  /** @internal */
  abstract readonly insightStream: string;
  /** Ids of environments by name. */
  abstract readonly environments: Readonly<Record<string, string>>;

  get eventsUrl(): string {
    return this.pollingUrl;
  }

  environmentId(environment: string): string {
    const id = this.environments[environment] ?? environment;
    if (isGuid(id)) return id;
    const known = Object.keys(this.environments).join(', ') || 'none';
    throw new Error(
      `${this.node.path} has no environment ${environment} (it has: ${known}): add it to the property environments, or name its id`,
    );
  }

  grantRead(grantee: IGrantable, environment: string): Grant {
    return this.#grant(grantee, [readingEnvironment(this.flagsTable, this.environmentId(environment))]);
  }

  grantEdit(grantee: IGrantable, environment: string): Grant {
    const id = this.environmentId(environment);
    return this.#grant(grantee, [
      readingEnvironment(this.flagsTable, id),
      onItems(
        this.flagsTable,
        ['dynamodb:GetItem', 'dynamodb:Query'],
        ['SERVICE', 'ENVIRONMENTS', `HISTORY#${id}`, `PLAN#${id}`],
      ),
      changingEnvironment(this.flagsTable, id),
    ]);
  }

  metricConnections(options?: MetricOptions): Metric {
    return this.#metric('websocket.connections.total', 'Sum', options);
  }

  metricSyncLatency(options?: MetricOptions): Metric {
    return this.#metric('sync.latency', 'p99', options);
  }

  #metric(metricName: string, statistic: string, options?: MetricOptions): Metric {
    const dimensionsMap = { Stage: deploymentName(this.config) };
    return new Metric({ namespace: 'Flagwire', metricName, dimensionsMap, statistic, ...options }).attachTo(this);
  }

  #grant(grantee: IGrantable, statements: PolicyStatement[]): Grant {
    const { kmsKeyArn } = this.config;
    if (kmsKeyArn !== undefined)
      statements.push(usingKey(kmsKeyArn, 'dynamodb', ['kms:Decrypt'], Stack.of(this).region));
    return statements
      .map(({ actions, resources: resourceArns, conditions }) =>
        Grant.addToPrincipal({ grantee, actions, resourceArns, conditions }),
      )
      .reduce((all, grant) => all.combine(grant));
  }
}

/**
 * Flagwire on API Gateway and Lambda: a WebSocket API and an HTTP API, functions, tables, alarms and a dashboard. It costs almost
 * nothing while no client is connected.
 */
export class Flagwire extends FlagwireBase {
  /** A service that another stack or app creates. */
  static fromAttributes(scope: Construct, id: string, attributes: FlagwireAttributes): IFlagwire {
    return new ExistingFlagwire(scope, id, attributes);
  }

  readonly flagsTable: ITableV2;
  readonly connectionsTable: ITableV2;
  readonly streamingUrl: string;
  readonly pollingUrl: string;
  readonly dashboardUrl: string;
  /** Ids of the declared environments by name. */
  readonly environments: Readonly<Record<string, string>>;
  /** Values for users, by name, such as targets of DNS records. */
  readonly outputs: Outputs;
  /** @internal */
  readonly config: Config;
  /** @internal What dashboards and alarms look at. */
  readonly observed: ObservedDeployment;
  /** @internal What the cost dashboard compares. */
  readonly design: Design;

  constructor(scope: Construct, id: string, props: FlagwireProps = {}) {
    super(scope, id);
    const { tables: given, ...settings } = props;
    const config = configOf(this, settings);
    // The key is set for all below this construct.
    const { kmsKeyArn: _, ...ofTables } = tablesPropsOf({ name: deploymentName(config), ...settings });
    const tables = given ?? new FlagwireTables(this, 'Tables', ofTables);
    const { flags, connections } = tables;
    this.config = config;
    this.flagsTable = flags;
    this.connectionsTable = connections;
    const streaming = new StreamingApi(this, 'Streaming', { config, flags, connections });
    const push = new PushPipeline(this, 'Push', { config, flags, connections, streaming });
    const healing = new Healing(this, 'Healing', { config, flags, connections, streaming });
    const insight = new InsightStream(this, 'Insight', config);
    const http = new FlagsHttpApi(this, 'Polling', { config, flags, insight });
    this.environments = idsOf(config.environments, Stack.of(this).stackName);
    if (config.environments.length > 0) {
      new DeclaredEnvironments(this, 'Environments', { config, flags, environments: this.environments });
    }

    this.observed = {
      config,
      streaming,
      http,
      push,
      healing,
      tables: { flags, connections },
      insightStream: insight.streamName,
    };
    this.design = serverlessDesign(this, this.observed);
    if (config.alarms) new Alarms(this, 'Alarms', this.observed);
    this.dashboardUrl = new ServiceDashboard(this, 'Observability', this.observed).url;

    const { domain, regionalDomain } = config;
    const hosts =
      (domain && new SingleHost(this, 'Host', { domain, streaming, http })) ??
      (regionalDomain && new RegionalHosts(this, 'Hosts', { domain: regionalDomain, streaming, http }));
    this.streamingUrl = hosts?.streamingUri ?? streaming.uri;
    this.pollingUrl = hosts?.httpUri ?? http.uri;
    this.outputs = {
      ...hosts?.outputs,
      ...urlOutputs(this.streamingUrl, this.pollingUrl),
      UndeliveredQueueArn: {
        value: push.deadLetters.undelivered.queueArn,
        description: 'Where changes are set aside that could not be delivered',
      },
      DashboardUrl: { value: this.dashboardUrl, description: 'Connections, latencies, errors' },
    };
    if (config.kmsKeyArn !== undefined) encryptAll(this, config.kmsKeyArn);
  }

  /** @internal */
  get insightStream(): string {
    return this.observed.insightStream;
  }
}

class ExistingFlagwire extends FlagwireBase {
  readonly flagsTable: ITableV2;
  readonly streamingUrl: string;
  readonly pollingUrl: string;
  readonly environments: Readonly<Record<string, string>>;
  readonly config: Config;
  readonly #insightStream: string | undefined;

  constructor(scope: Construct, id: string, attributes: FlagwireAttributes) {
    super(scope, id);
    const { flagsTableArn, streamingUrl, httpUrl, name, environments = {}, insightStream, kmsKeyArn } = attributes;
    this.flagsTable = TableV2.fromTableArn(this, 'Flags', flagsTableArn);
    this.streamingUrl = streamingUrl;
    this.pollingUrl = httpUrl;
    this.environments = environments;
    this.config = configOf(this, omitUndefined({ name, kmsKeyArn }));
    this.#insightStream = insightStream;
  }

  get insightStream(): string {
    if (this.#insightStream !== undefined) return this.#insightStream;
    throw new Error(`${this.node.path} needs the attribute insightStream: a FlagwireHost writes SDK events to it`);
  }
}

/**
 * Ids of the environments that a stack declares. They follow from the stack and the names, so that policies can contain them
 * before the deployment. A change of either makes other environments.
 */
function idsOf(names: readonly string[], stackName: string): Record<string, string> {
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
