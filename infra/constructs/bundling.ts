import { type BundlingOptions, LogLevel, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { lambdaBuild } from './lambdaEntry.ts';

/** {@link lambdaBuild} in the words of CDK's NodejsFunction. */
export const lambdaBundling: BundlingOptions = {
  format: OutputFormat.ESM,
  target: lambdaBuild.target,
  minify: lambdaBuild.minify,
  mainFields: [...lambdaBuild.mainFields],
  externalModules: [...lambdaBuild.external],
  logLevel: LogLevel.WARNING,
  esbuildArgs: {
    '--tree-shaking': String(lambdaBuild.treeShaking),
    '--alias': Object.entries(lambdaBuild.alias).map(([name, path]) => `${name}=${path}`),
  },
};
