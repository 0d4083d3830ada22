import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Grant, type IGrantable, type PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Stack } from 'aws-cdk-lib/core';
import { Construct, type IConstruct } from 'constructs';
import { isGuid } from '../../shared/protocol/guid.ts';
import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { usingKey } from './customerKey.ts';
import { changingEnvironment, onItems, readingEnvironment } from './grants/environmentGrants.ts';

/** URLs of the two APIs. */
export type ApiUris = Readonly<Record<'streaming' | 'http', string>>;

/** A service: one that a stack creates, or an existing one. */
export interface IFlagwire extends IConstruct {
  readonly flagsTable: ITableV2;
  /** The table with open connections. Undefined for an existing service without `connectionsTableArn`. */
  readonly connectionsTable?: ITableV2 | undefined;
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
  /** @internal The own URLs of its WebSocket API and HTTP API. */
  readonly apiUris: ApiUris;
  /** @internal Name of the delivery stream for insight events. */
  readonly insightStream: string;
  /** @internal Table of counted evaluations. Undefined if nothing is counted. */
  readonly usageTable: ITableV2 | undefined;
}

/** The attributes of an existing service. */
export interface FlagwireAttributes {
  /** ARN of the flags table: `arn:aws:dynamodb:<region>:<account>:table/<output FlagsTableName>`. */
  readonly flagsTableArn: string;
  /**
   * ARN of the connections table: `arn:aws:dynamodb:<region>:<account>:table/<output ConnectionsTableName>`.
   *
   * @default receipts do not include the connections of a `FlagwireHost` for this service
   */
  readonly connectionsTableArn?: string;
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
   * ARN of the table of counted evaluations, for a `FlagwireHost`.
   *
   * @default hosts count no evaluations
   */
  readonly usageTableArn?: string;
  /**
   * The customer's key that encrypts the table.
   *
   * @default a key of AWS
   */
  readonly kmsKeyArn?: string;
}

/** The common part of a created and an existing service. */
export abstract class FlagwireBase extends Construct implements IFlagwire {
  abstract readonly flagsTable: ITableV2;
  abstract readonly connectionsTable: ITableV2 | undefined;
  abstract readonly streamingUrl: string;
  abstract readonly pollingUrl: string;
  /** @internal */
  abstract readonly config: Config;
  /** @internal */
  abstract readonly apiUris: ApiUris;
  /** @internal */
  abstract readonly insightStream: string;
  /** @internal */
  abstract readonly usageTable: ITableV2 | undefined;
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
        ['SERVICE', 'ENVIRONMENTS', `HISTORY#${id}`, `PLAN#${id}`, `HOOK#${id}`],
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
