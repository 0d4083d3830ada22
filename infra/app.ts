import { App } from 'aws-cdk-lib/core';
import { readConfig } from './config/config.ts';
import { ConfigError } from './config/configError.ts';
import { describeConfig } from './config/describe.ts';
import { addStacks } from './stacks/addStacks.ts';

/** What the `cdk` command runs (cdk.json); it brings the context and takes the templates from here. */
const app = new App({ analyticsReporting: false });
try {
  const config = readConfig(app.node.getAllContext());
  console.error(describeConfig(config));
  addStacks(app, config);
  app.synth();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
