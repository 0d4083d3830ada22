import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import { type App, type CfnResource, Tags } from 'aws-cdk-lib/core';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { settingsMetadata } from '../config/recordedSettings.ts';
import { encryptAll } from '../constructs/customerKey.ts';
import { CostStack } from './cost.ts';
import { DataStack } from './data.ts';
import { FargateStack } from './fargate.ts';
import { HostStack } from './host.ts';
import { ServerlessStack } from './serverless.ts';

/**
 * Puts the stacks of one deployment, `<name>-<stage>-Data`, `-Serverless`, `-Cost` and, where they are asked for, `-Host` and `-Fargate`.
 *
 * @param set what the operator set, which the Data stack records with the configuration
 */
export function addStacks(app: App, config: Config, set: Readonly<Record<string, unknown>> = {}): void {
  const { name, stage, account, region, tags, terminationProtection, permissionsBoundaryArn, kmsKeyArn } = config;
  const common = { env: omitUndefined({ account, region }), terminationProtection };
  const deployment = deploymentName(config);
  for (const [tag, value] of Object.entries({ ...tags, app: name.toLowerCase(), stage })) Tags.of(app).add(tag, value);
  if (kmsKeyArn !== undefined) encryptAll(app, kmsKeyArn);
  const data = new DataStack(app, `${deployment}-Data`, config, {
    ...common,
    description: 'Flagwire: flags and connections',
  });
  const table = data.connections.node.defaultChild as CfnResource;
  for (const [key, value] of Object.entries(settingsMetadata(set, config))) {
    data.addMetadata(key, value);
    // CloudFormation updates a template's metadata only together with a resource.
    table.addMetadata(key, value);
  }
  const serverless = new ServerlessStack(app, `${deployment}-Serverless`, config, data, {
    ...common,
    description: 'Flagwire: feature flags over API Gateway and Lambda',
  });
  if (permissionsBoundaryArn !== undefined) {
    PermissionsBoundary.of(app).apply(ManagedPolicy.fromManagedPolicyArn(data, 'Boundary', permissionsBoundaryArn));
  }
  const parts = { data, serverless };
  const host =
    config.host &&
    new HostStack(app, `${deployment}-Host`, config, config.host, parts, {
      ...common,
      description: 'Flagwire: the same service on machines of its own',
    });
  const fargate =
    config.fargate &&
    new FargateStack(app, `${deployment}-Fargate`, config, config.fargate, parts, {
      ...common,
      description: 'Flagwire: the same service on Fargate behind a network load balancer',
    });
  const designs = [serverless, host, fargate].flatMap((stack) => stack?.design ?? []);
  new CostStack(app, `${deployment}-Cost`, config, designs, {
    ...common,
    description: 'Flagwire: what each design costs',
  });
}
