import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { FlagsAccess, type FlagsTableAttributes } from './flagsAccess.ts';

/** URLs of the two APIs. */
export type ApiUris = Readonly<Record<'streaming' | 'http', string>>;

/** The attributes of an existing service. */
export interface FlagwireAttributes extends FlagsTableAttributes {
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
   * Name of the delivery stream for SDK events, which a `FlagwireHost` needs.
   *
   * @default no FlagwireHost for this service
   */
  readonly insightStream?: string;
}

/** A service: one that a stack creates, or an existing one. */
export abstract class FlagwireBase extends FlagsAccess {
  /** The table with open connections. Undefined for an existing service without `connectionsTableArn`. */
  abstract readonly connectionsTable: ITableV2 | undefined;
  /** Streaming URL for SDKs. */
  abstract readonly streamingUrl: string;
  /** Polling URL for SDKs, and base URL of the HTTP API. */
  abstract readonly pollingUrl: string;
  /** @internal */
  abstract override readonly config: Config;
  /** @internal The own URLs of its WebSocket API and HTTP API. */
  abstract readonly apiUris: ApiUris;
  /** @internal Name of the delivery stream for insight events. */
  abstract readonly insightStream: string;

  /** Events URL for SDKs. */
  get eventsUrl(): string {
    return this.pollingUrl;
  }

  /** New connections. Sum over 5 minutes by default. */
  metricConnections(options?: MetricOptions): Metric {
    return this.#metric('websocket.connections.total', 'Sum', options);
  }

  /** Duration of data-syncs in milliseconds. 99th percentile over 5 minutes by default. */
  metricSyncLatency(options?: MetricOptions): Metric {
    return this.#metric('sync.latency', 'p99', options);
  }

  #metric(metricName: string, statistic: string, options?: MetricOptions): Metric {
    const dimensionsMap = { Stage: deploymentName(this.config) };
    return new Metric({ namespace: 'Flagwire', metricName, dimensionsMap, statistic, ...options }).attachTo(this);
  }
}
