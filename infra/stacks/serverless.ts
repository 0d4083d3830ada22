import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { FlagsHttpApi } from '../constructs/flagsHttpApi.ts';
import { InsightStream } from '../constructs/insightStream.ts';
import { Alarms } from '../constructs/observability/alarms.ts';
import { ServiceDashboard } from '../constructs/observability/dashboard.ts';
import { PushPipeline } from '../constructs/pushPipeline.ts';
import { SingleHost } from '../constructs/singleHost.ts';
import { StreamingApi } from '../constructs/streamingApi.ts';
import type { DataStack } from './data.ts';

/** The service on API Gateway and Lambda: costs nothing while nobody is connected. */
export class ServerlessStack extends Stack {
  constructor(scope: Construct, id: string, config: Config, { flags, connections }: DataStack, props: StackProps) {
    super(scope, id, props);
    const streaming = new StreamingApi(this, 'Streaming', { config, flags, connections });
    const push = new PushPipeline(this, 'Push', { config, flags, connections, streaming });
    const insight = new InsightStream(this, 'Insight', config);
    const http = new FlagsHttpApi(this, 'Polling', { config, flags, insight });

    const observed = { config, streaming, http, push, tables: { flags, connections } };
    if (config.alarms) new Alarms(this, 'Alarms', observed);
    const dashboard = new ServiceDashboard(this, 'Observability', observed);

    const host = config.domain && new SingleHost(this, 'Host', { domain: config.domain, streaming, http });
    const { streamingUri, httpUri } = host ?? { streamingUri: streaming.uri, httpUri: http.uri };
    new CfnOutput(this, 'StreamingUri', { value: streamingUri, description: "An SDK's streaming URL" });
    new CfnOutput(this, 'PollingUri', { value: httpUri, description: "An SDK's polling URL" });
    new CfnOutput(this, 'EventsUri', { value: httpUri, description: "An SDK's events URL" });
    new CfnOutput(this, 'UndeliveredQueueArn', {
      value: push.deadLetters.undelivered.queueArn,
      description: 'Where changes are set aside that could not be delivered',
    });
    new CfnOutput(this, 'DashboardUrl', { value: dashboard.url, description: 'Connections, latencies, errors, cost' });
  }
}
