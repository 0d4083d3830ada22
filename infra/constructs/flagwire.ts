import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { configOf, type ServiceProps } from '../config/props.ts';
import { DeployedConsole } from './console/deployedConsole.ts';
import type { Design } from './cost/costDashboard.ts';
import { serverlessDesign } from './cost/serverlessCost.ts';
import { encryptAll } from './customerKey.ts';
import { addApiGatewayDomains } from './domain/apiGatewayDomains.ts';
import { addCloudFrontDomain } from './domain/cloudFrontDomain.ts';
import { declareEnvironments, idsOf } from './environments.ts';
import { ExistingFlags, ExistingFlagwire } from './existingFlagwire.ts';
import type { FlagsAccess, FlagsTableAttributes } from './flagsAccess.ts';
import { type ApiUris, type FlagwireAttributes, FlagwireBase } from './flagwireBase.ts';
import { FlagwireTables } from './flagwireTables.ts';
import { FlagsHttpApi } from './http/flagsHttpApi.ts';
import { addInsightStream } from './http/insightStream.ts';
import { addAlarms } from './observability/alarms.ts';
import { alarmTopicFor } from './observability/concern.ts';
import { addServiceDashboard } from './observability/dashboard.ts';
import type { ObservedDeployment } from './observed.ts';
import { type Outputs, urlOutputs } from './outputs.ts';
import { addHealing } from './push/healing.ts';
import { addPushPipeline } from './push/pushPipeline.ts';
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
  static fromAttributes(scope: Construct, id: string, attributes: FlagwireAttributes): FlagwireBase {
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
  #recordUncounted?: ReturnType<typeof declareEnvironments>;

  constructor(scope: Construct, id: string, props: FlagwireProps = {}) {
    super(scope, id);
    const { tables: given, ...settings } = props;
    const read = configOf(this, settings);
    // The key is set for everything below this construct.
    const { kmsKeyArn: _, ...ofTables } = { name: deploymentName(read), ...settings };
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
    const ofPushes = { config, flags, connections, streaming };
    const push = addPushPipeline(this, ofPushes);
    const heal = addHealing(this, ofPushes, push.revocations.queue);
    const insight = addInsightStream(this, config);
    const http = new FlagsHttpApi(this, 'Polling', { config, flags, insight, usage });
    this.apiUris = { streaming: streaming.uri, http: http.uri };
    this.environments = idsOf(config.environments, Stack.of(this).stackName);
    if (config.environments.length > 0) this.#declare();

    this.observed = {
      config,
      streaming,
      http,
      push,
      heal,
      tables: { flags, connections },
      insightStream: insight.streamName,
    };
    this.design = serverlessDesign(this, this.observed);
    if (config.alarms) addAlarms(this, this.observed);
    this.dashboardUrl = addServiceDashboard(this, this.observed);

    const { domain, regionalDomain } = config;
    const named =
      (domain && addCloudFrontDomain(this, domain, this.apiUris)) ??
      (regionalDomain && addApiGatewayDomains(this, regionalDomain, streaming.stage, http.stage));
    this.streamingUrl = named?.streamingUri ?? streaming.uri;
    this.pollingUrl = named?.httpUri ?? http.uri;
    const { console: ofConsole } = config;
    const site =
      ofConsole &&
      new DeployedConsole(this, 'Console', {
        config,
        flags,
        connections,
        usage,
        settings: ofConsole,
        urls: { streaming: this.streamingUrl, http: this.pollingUrl },
        idOf: (environment) => this.environmentId(environment),
      });
    this.outputs = {
      ...named?.outputs,
      ...urlOutputs(this.streamingUrl, this.pollingUrl),
      ...(site && { ConsoleUrl: { value: site.url, description: 'The console. Its redirect URI is /sign-in/done' } }),
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
    this.#declare()(path, environmentId);
  }

  #declare(): ReturnType<typeof declareEnvironments> {
    this.#recordUncounted ??= declareEnvironments(this, this.config, this.flagsTable, this.environments);
    return this.#recordUncounted;
  }
}
