import { CfnOutput } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';

/** Values for users of a deployment, such as URLs, by name. */
export type Outputs = Readonly<Record<string, { readonly value: string; readonly description: string }>>;

/** Adds the values to the outputs of a stack. */
export function addOutputs(stack: Construct, outputs: Outputs): void {
  for (const [name, output] of Object.entries(outputs)) new CfnOutput(stack, name, output);
}

/** The URLs of a service, for SDKs. */
export function urlOutputs(streamingUrl: string, httpUrl: string): Outputs {
  return {
    StreamingUri: { value: streamingUrl, description: "An SDK's streaming URL" },
    PollingUri: { value: httpUrl, description: "An SDK's polling URL" },
    EventsUri: { value: httpUrl, description: "An SDK's events URL" },
  };
}
