import { type App, Tags } from 'aws-cdk-lib/core';
import type { Config } from '../config.ts';
import { DataStack } from './data.ts';
import { ServerlessStack } from './serverless.ts';

/** Puts the stacks of one deployment, `Flagwire-<stage>-Data` and `Flagwire-<stage>-Serverless`, into the app. */
export function addStacks(app: App, config: Config): void {
  const { stage, env, tags } = config;
  for (const [name, value] of Object.entries({ ...tags, app: 'flagwire', stage })) Tags.of(app).add(name, value);
  const data = new DataStack(app, `Flagwire-${stage}-Data`, config, {
    env,
    description: 'Flagwire: flags and connections',
  });
  new ServerlessStack(app, `Flagwire-${stage}-Serverless`, config, data, {
    env,
    description: 'Flagwire: feature flags over API Gateway and Lambda',
  });
}
