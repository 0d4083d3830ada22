import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config } from '../config.ts';
import { FlagsHttpApi } from '../constructs/flagsHttpApi.ts';
import { InsightStream } from '../constructs/insightStream.ts';
import { PushPipeline } from '../constructs/pushPipeline.ts';
import { StreamingApi } from '../constructs/streamingApi.ts';
import type { DataStack } from './data.ts';

/** The service on API Gateway and Lambda: costs nothing while nobody is connected. */
export class ServerlessStack extends Stack {
  constructor(scope: Construct, id: string, config: Config, { flags, connections }: DataStack, props: StackProps) {
    super(scope, id, props);
    const streaming = new StreamingApi(this, 'Streaming', { config, flags, connections });
    new PushPipeline(this, 'Push', { config, flags, connections, streaming });
    const insight = new InsightStream(this, 'Insight', config);
    const http = new FlagsHttpApi(this, 'Polling', { config, flags, insight });

    new CfnOutput(this, 'StreamingUri', { value: streaming.uri, description: "An SDK's streaming URL" });
    new CfnOutput(this, 'PollingUri', { value: http.uri, description: "An SDK's polling URL; OFREP's base URL" });
    new CfnOutput(this, 'EventsUri', { value: http.uri, description: "An SDK's events URL" });
  }
}
