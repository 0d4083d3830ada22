import { App } from 'aws-cdk-lib/core';
import { ConfigError } from './config/configError.ts';
import { stageIn } from './config/context.ts';
import { StageFile } from './config/stageFile.ts';
import { settingsForApp } from './preflight/decide.ts';
import { addStacks } from './stacks/addStacks.ts';

/** The app of the `cdk` command (cdk.json). The context has the stage, and cdk reads the templates from here. */
const app = new App({ analyticsReporting: false });
try {
  const file = new StageFile(stageIn(app.node.getAllContext()));
  const config = file.config(await settingsForApp(file, process.env, console.error));
  console.error(`Settings: ${file.sources}.`);
  addStacks(app, config, file.read());
  app.synth();
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  console.error(error.message);
  process.exitCode = 1;
}
