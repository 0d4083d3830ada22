import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { configOf, type ServiceProps } from '../config/props.ts';
import type { Design } from './cost/costDashboard.ts';
import { serverlessDesign } from './cost/serverlessCost.ts';
import { encryptAll } from './customerKey.ts';
import { ApiGatewayDomains } from './domain/apiGatewayDomains.ts';
import { CloudFrontDomain } from './domain/cloudFrontDomain.ts';
import { DeclaredEnvironments, idsOf } from './environments.ts';
import { ExistingFlags, ExistingFlagwire } from './existingFlagwire.ts';
import type { FlagsAccess, FlagsTableAttributes } from './flagsAccess.ts';
import { type ApiUris, type FlagwireAttributes, FlagwireBase, type IFlagwire } from './flagwireBase.ts';
import { FlagwireTables, tablesPropsOf } from './flagwireTables.ts';
import { FlagsHttpApi } from './http/flagsHttpApi.ts';
import { InsightStream } from './http/insightStream.ts';
import { Alarms } from './observability/alarms.ts';
import { alarmTopicFor } from './observability/concern.ts';
import { addServiceDashboard } from './observability/dashboard.ts';
import type { ObservedDeployment } from './observed.ts';
import { type Outputs, urlOutputs } from './outputs.ts';
import { Healing } from './push/healing.ts';
import { PushPipeline } from './push/pushPipeline.ts';
import { StreamingApi } from './streaming/streamingApi.ts';

/** Settings of {@link Flagwire}. */
export interface FlagwireProps extends ServiceProps {
  /**
   * Tables of another construct, for example in another stack. That construct then has the settings of tables.
   *
   * @default tables of its own
   */
  readonly tables?: FlagwireTables;
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

  /** The flags of a service that another stack or app creates, for grants and {@link addTo}. */
  static fromTable(scope: Construct, id: string, attributes: FlagsTableAttributes): FlagsAccess {
    return new ExistingFlags(scope, id, attributes);
  }

  readonly flagsTable: ITableV2;
  readonly connectionsTable: ITableV2;
  readonly streamingUrl: string;
  readonly pollingUrl: string;
  /** Base URL of the webhooks of plans. */
  readonly webhookUrl: string;
  readonly dashboardUrl: string;
  /** Ids of the declared environments by name. */
  readonly environments: Readonly<Record<string, string>>;
  /** Values for users, by name, such as targets of DNS records. */
  readonly outputs: Outputs;
  /** @internal */
  readonly config: Config;
  /** @internal */
  readonly usageTable: ITableV2 | undefined;
  /** @internal */
  readonly apiUris: ApiUris;
  /** @internal The parts that dashboards and alarms observe. */
  readonly observed: ObservedDeployment;
  /** @internal Cost of the design, for the cost dashboard. */
  readonly design: Design;
  #declared?: DeclaredEnvironments;

  constructor(scope: Construct, id: string, props: FlagwireProps = {}) {
    super(scope, id);
    const { tables: given, ...settings } = props;
    const read = configOf(this, settings);
    // The key is set for everything below this construct.
    const { kmsKeyArn: _, ...ofTables } = tablesPropsOf({ name: deploymentName(read), ...settings });
    const tables = given ?? new FlagwireTables(this, 'Tables', ofTables);
    const { flags, connections, usage } = tables;
    // Tables of another construct may have no address for alarms.
    const mailTopic = read.alarmEmail && (tables.mailTopic ?? alarmTopicFor(this, read.alarmEmail));
    const config = { ...read, ...(mailTopic && { mailTopic }) };
    this.config = config;
    this.flagsTable = flags;
    this.connectionsTable = connections;
    this.webhookUrl = tables.webhookUrl;
    this.usageTable = usage;
    const streaming = new StreamingApi(this, 'Streaming', { config, flags, connections });
    const push = new PushPipeline(this, 'Push', { config, flags, connections, streaming });
    const healing = new Healing(this, 'Healing', {
      config,
      flags,
      connections,
      streaming,
      revocations: push.revocations.queue,
    });
    const insight = new InsightStream(this, 'Insight', config);
    const http = new FlagsHttpApi(this, 'Polling', { config, flags, insight, usage });
    this.apiUris = { streaming: streaming.uri, http: http.uri };
    this.environments = idsOf(config.environments, Stack.of(this).stackName);
    if (config.environments.length > 0) this.#declare();

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
    this.dashboardUrl = addServiceDashboard(this, this.observed);

    const { domain, regionalDomain } = config;
    const named =
      (domain && new CloudFrontDomain(this, 'Host', domain, this.apiUris)) ??
      (regionalDomain && new ApiGatewayDomains(this, 'Hosts', { domain: regionalDomain, streaming, http }));
    this.streamingUrl = named?.streamingUri ?? streaming.uri;
    this.pollingUrl = named?.httpUri ?? http.uri;
    this.outputs = {
      ...named?.outputs,
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

  /** @internal */
  override recordUncounted(path: string, environmentId: string): void {
    this.#declare().recordUncounted(path, environmentId);
  }

  #declare(): DeclaredEnvironments {
    const { config, flagsTable: flags, environments } = this;
    this.#declared ??= new DeclaredEnvironments(this, 'Environments', { config, flags, environments });
    return this.#declared;
  }
}
