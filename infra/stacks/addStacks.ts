import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import { type App, BOOTSTRAP_QUALIFIER_CONTEXT, type CfnResource, Tags } from 'aws-cdk-lib/core';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { settingsMetadata } from '../config/recordedSettings.ts';
import { deploymentTags } from '../config/tags.ts';
import { CostStack } from './cost.ts';
import { DataStack } from './data.ts';
import { HostStack } from './host.ts';
import { ServerlessStack } from './serverless.ts';

/**
 * Adds the stacks of one deployment: `<name>-<stage>-Data`, `-Serverless`, `-Cost`, and optionally `-Host` and `-Fargate`.
 *
 * @param set the operator's settings, which the Data stack records with the configuration
 */
export function addStacks(app: App, config: Config, set: Readonly<Record<string, unknown>> = {}): void {
  const { account, region, tags, terminationProtection, permissionsBoundaryArn } = config;
  // Constructs look for it in their parents.
  app.node.setContext(BOOTSTRAP_QUALIFIER_CONTEXT, config.bootstrapQualifier);
  const common = { env: omitUndefined({ account, region }), terminationProtection };
  const deployment = deploymentName(config);
  for (const [tag, value] of Object.entries({ ...tags, ...deploymentTags(config) })) Tags.of(app).add(tag, value);
  const data = new DataStack(app, `${deployment}-Data`, config, {
    ...common,
    description: 'Flagwire: flags and connections',
  });
  const { tables } = data;
  const table = tables.connections.node.defaultChild as CfnResource;
  for (const [key, value] of Object.entries(settingsMetadata(set, config))) {
    data.addMetadata(key, value);
    // CloudFormation updates a template's metadata only together with a resource.
    table.addMetadata(key, value);
  }
  const serverless = new ServerlessStack(app, `${deployment}-Serverless`, config, tables, {
    ...common,
    description: 'Flagwire: feature flags over API Gateway and Lambda',
  });
  if (permissionsBoundaryArn !== undefined) {
    PermissionsBoundary.of(app).apply(ManagedPolicy.fromManagedPolicyArn(data, 'Boundary', permissionsBoundaryArn));
  }
  const flags = serverless.flagwire;
  // The stage's checks cover properties without TLS.
  const allowInsecure = true;
  const host =
    config.host &&
    new HostStack(
      app,
      `${deployment}-Host`,
      { flags, name: deployment, ec2: { ...config.host, allowInsecure } },
      { ...common, description: 'Flagwire: the same service on machines of its own' },
    );
  const fargate =
    config.fargate &&
    new HostStack(
      app,
      `${deployment}-Fargate`,
      { flags, name: deployment, fargate: { ...config.fargate, allowInsecure } },
      { ...common, description: 'Flagwire: the same service on Fargate behind a network load balancer' },
    );
  const designs = [flags.design, host?.host.design, fargate?.host.design].flatMap((design) => design ?? []);
  new CostStack(app, `${deployment}-Cost`, config, designs, {
    ...common,
    description: 'Flagwire: what each design costs',
  });
}
