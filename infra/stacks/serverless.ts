import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config } from '../config/config.ts';
import { accessLogGroupOf } from '../constructs/accessLogs.ts';
import { MonthlyBudget } from '../constructs/cost/budget.ts';
import type { Design } from '../constructs/cost/costDashboard.ts';
import { serverlessDesign } from '../constructs/cost/serverlessCost.ts';
import { FlagsHttpApi } from '../constructs/flagsHttpApi.ts';
import { Healing } from '../constructs/healing.ts';
import { InsightStream } from '../constructs/insightStream.ts';
import { Alarms } from '../constructs/observability/alarms.ts';
import { ServiceDashboard } from '../constructs/observability/dashboard.ts';
import { functionsOf, type ObservedDeployment } from '../constructs/observed.ts';
import { PushPipeline } from '../constructs/pushPipeline.ts';
import { RegionalHosts } from '../constructs/regionalHosts.ts';
import { SingleHost } from '../constructs/singleHost.ts';
import { StreamingApi } from '../constructs/streamingApi.ts';
import type { DataStack } from './data.ts';

/** The service on API Gateway and Lambda: costs next to nothing while nobody is connected. */
export class ServerlessStack extends Stack {
  /** What dashboards look at. */
  readonly observed: ObservedDeployment;
  /** What the cost dashboard compares. */
  readonly design: Design;

  constructor(scope: Construct, id: string, config: Config, { flags, connections }: DataStack, props: StackProps) {
    super(scope, id, props);
    const streaming = new StreamingApi(this, 'Streaming', { config, flags, connections });
    const push = new PushPipeline(this, 'Push', { config, flags, connections, streaming });
    const healing = new Healing(this, 'Healing', { config, flags, connections, streaming });
    const insight = new InsightStream(this, 'Insight', config);
    const http = new FlagsHttpApi(this, 'Polling', { config, flags, insight });

    const tables = { flags, connections };
    const observed = { config, streaming, http, push, healing, tables, insightStream: insight.streamName };
    this.observed = observed;
    this.design = serverlessDesign(this, observed);
    keepExports(this, observed);
    if (config.alarms) new Alarms(this, 'Alarms', observed);
    const { name, stage, monthlyBudget: monthlyUsd, alarmEmail: email } = config;
    if (monthlyUsd !== undefined && email !== undefined)
      new MonthlyBudget(this, 'Budget', { app: name.toLowerCase(), stage, monthlyUsd, email });
    const dashboard = new ServiceDashboard(this, 'Observability', observed);

    const { domain, regionalDomain } = config;
    const hosts =
      (domain && new SingleHost(this, 'Host', { domain, streaming, http })) ??
      (regionalDomain && new RegionalHosts(this, 'Hosts', { domain: regionalDomain, streaming, http }));
    const { streamingUri, httpUri } = hosts ?? { streamingUri: streaming.uri, httpUri: http.uri };
    new CfnOutput(this, 'StreamingUri', { value: streamingUri, description: "An SDK's streaming URL" });
    new CfnOutput(this, 'PollingUri', { value: httpUri, description: "An SDK's polling URL" });
    new CfnOutput(this, 'EventsUri', { value: httpUri, description: "An SDK's events URL" });
    new CfnOutput(this, 'UndeliveredQueueArn', {
      value: push.deadLetters.undelivered.queueArn,
      description: 'Where changes are set aside that could not be delivered',
    });
    new CfnOutput(this, 'DashboardUrl', { value: dashboard.url, description: 'Connections, latencies, errors' });
  }
}

/**
 * Exports what the host's dashboard referred to: CloudFormation would not remove an export that a stack of the release before
 * still imports.
 */
function keepExports(
  stack: ServerlessStack,
  { streaming, http, push, insightStream, ...observed }: ObservedDeployment,
): void {
  stack.exportValue(streaming.apiId);
  stack.exportValue(http.apiId);
  stack.exportValue(push.queue.queueName);
  stack.exportValue(insightStream);
  for (const api of [streaming, http]) {
    const logs = accessLogGroupOf(api);
    if (logs) stack.exportValue(logs.logGroupName);
  }
  for (const { handler, logGroup } of Object.values(
    functionsOf({ streaming, http, push, insightStream, ...observed }),
  )) {
    stack.exportValue(handler.functionName);
    stack.exportValue(logGroup.logGroupName);
  }
}
