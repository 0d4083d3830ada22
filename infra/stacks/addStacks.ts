import { type App, Tags } from 'aws-cdk-lib/core';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { Config } from '../config/config.ts';
import { ComparisonStack } from './comparison.ts';
import { DataStack } from './data.ts';
import { FargateStack } from './fargate.ts';
import { ServerlessStack } from './serverless.ts';

/** Puts the stacks of one deployment, `Flagwire-<stage>-Data`, `-Serverless` and, where they are asked for, `-Comparison` and `-Fargate`. */
export function addStacks(app: App, config: Config): void {
  const { stage, account, region, tags } = config;
  const env = omitUndefined({ account, region });
  for (const [name, value] of Object.entries({ ...tags, app: 'flagwire', stage })) Tags.of(app).add(name, value);
  const data = new DataStack(app, `Flagwire-${stage}-Data`, config, {
    env,
    description: 'Flagwire: flags and connections',
  });
  const serverless = new ServerlessStack(app, `Flagwire-${stage}-Serverless`, config, data, {
    env,
    description: 'Flagwire: feature flags over API Gateway and Lambda',
  });
  const parts = { data, serverless };
  if (config.host) {
    new ComparisonStack(app, `Flagwire-${stage}-Comparison`, config, config.host, parts, {
      env,
      description: 'Flagwire: the same service on one small machine',
    });
  }
  if (config.fargate) {
    new FargateStack(app, `Flagwire-${stage}-Fargate`, config, config.fargate, parts, {
      env,
      description: 'Flagwire: the same service on Fargate behind a network load balancer',
    });
  }
}
