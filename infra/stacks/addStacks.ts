import { ManagedPolicy, PermissionsBoundary } from 'aws-cdk-lib/aws-iam';
import {
  type App,
  AspectPriority,
  Aspects,
  BOOTSTRAP_QUALIFIER_CONTEXT,
  CfnOutput,
  type CfnResource,
  CrossStackReferences,
  ReferenceStrength,
  Stack,
  TagManager,
  Tags,
} from 'aws-cdk-lib/core';
import type { IConstruct } from 'constructs';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import type { Config } from '../config/config.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { propsOf } from '../config/props.ts';
import { settingsMetadata } from '../config/recordedSettings.ts';
import { addMonthlyBudget } from '../constructs/cost/budget.ts';
import { addCostDashboard, type Design } from '../constructs/cost/costDashboard.ts';
import { Flagwire } from '../constructs/flagwire.ts';
import { FlagwireHost, type FlagwireHostProps } from '../constructs/flagwireHost.ts';
import { FlagwireTables } from '../constructs/flagwireTables.ts';
import { functionsOf, type ObservedDeployment } from '../constructs/observed.ts';
import { addOutputs } from '../constructs/outputs.ts';
import { accessLogGroupOf } from '../constructs/streaming/accessLogs.ts';

/**
 * Adds the stacks of one deployment: `<name>-<stage>-Data`, `-Serverless`, `-Cost`, and optionally `-Host` and `-Fargate`.
 *
 * @param set the operator's settings, which the Data stack records with the configuration
 */
export function addStacks(app: App, config: Config, set: Readonly<Record<string, unknown>> = {}): void {
  const { account, region, tags, terminationProtection, permissionsBoundaryArn } = config;
  // Constructs look for it in their parents.
  app.node.setContext(BOOTSTRAP_QUALIFIER_CONTEXT, config.bootstrapQualifier);
  const name = deploymentName(config);
  const allTags = { ...tags, app: config.name.toLowerCase(), stage: config.stage };
  for (const [tag, value] of Object.entries(allTags)) Tags.of(app).add(tag, value);
  const stack = (id: string, description: string) =>
    new Stack(app, `${name}-${id}`, {
      env: omitUndefined({ account, region }),
      terminationProtection,
      description: `Flagwire: ${description}`,
    });
  const data = stack('Data', 'flags and connections');
  const tables = addData(data, config);
  const table = tables.connections.node.defaultChild as CfnResource;
  for (const [key, value] of Object.entries(settingsMetadata(set, config))) {
    data.addMetadata(key, value);
    // CloudFormation updates a template's metadata only together with a resource.
    table.addMetadata(key, value);
  }
  const flags = addService(stack('Serverless', 'feature flags over API Gateway and Lambda'), config, tables);
  if (permissionsBoundaryArn !== undefined) {
    PermissionsBoundary.of(app).apply(ManagedPolicy.fromManagedPolicyArn(data, 'Boundary', permissionsBoundaryArn));
  }
  // The stage's checks cover properties without TLS.
  const allowInsecure = true;
  const host =
    config.host &&
    addHosts(stack('Host', 'the same service on machines of its own'), flags, {
      ec2: { ...config.host, allowInsecure },
    });
  const fargate =
    config.fargate &&
    addHosts(stack('Fargate', 'the same service on Fargate behind a network load balancer'), flags, {
      fargate: { ...config.fargate, allowInsecure },
    });
  const designs = [flags.design, host?.design, fargate?.design].flatMap((design) => design ?? []);
  addCosts(stack('Cost', 'what each design costs'), config, designs);
}

/** The data that remains when the architecture changes: the flags and the connections. */
function addData(stack: Stack, config: Config): FlagwireTables {
  const stackNames = ['Data', 'Serverless'].map((id) => `${deploymentName(config)}-${id}`);
  const tables = new FlagwireTables(stack, 'Default', { ...propsOf(stack, config), stackNames });
  const { flags, connections, own, ownUsage, mailTopic, webhookUrl } = tables;
  // An export in use cannot be deleted. Without alarmEmail, this topic is deleted before the other stacks are deployed.
  if (mailTopic) CrossStackReferences.of(mailTopic).produce(ReferenceStrength.WEAK);
  new CfnOutput(stack, 'FlagsTableName', { value: flags.tableName });
  new CfnOutput(stack, 'ConnectionsTableName', { value: connections.tableName });
  new CfnOutput(stack, 'FlagsCli', {
    value: `FLAGS_TABLE=${flags.tableName} npm run flags -- env list`,
    description: 'Lists the environments of this table; run it with credentials for this account',
  });
  new CfnOutput(stack, 'WebhookUri', { value: webhookUrl, description: 'Base URL of the webhooks of plans' });
  // Existing stacks import these until they are deployed with another table, or without counts.
  for (const each of [own.tableName, own.tableArn, own.tableStreamArn, ownUsage.tableName, ownUsage.tableArn])
    stack.exportValue(each);
  return tables;
}

/** The service on API Gateway and Lambda. It costs almost nothing while no client is connected. */
function addService(stack: Stack, config: Config, tables: FlagwireTables): Flagwire {
  const flagwire = new Flagwire(stack, 'Default', { ...propsOf(stack, config), tables });
  keepExports(stack, flagwire.observed);
  addMonthlyBudget(stack, config);
  addOutputs(stack, flagwire.outputs);
  return flagwire;
}

/** Exports the former values of the host's dashboard. A stack of the previous release may still import them. */
function keepExports(stack: Stack, observed: ObservedDeployment): void {
  const { streaming, http, push, insightStream } = observed;
  for (const each of [streaming.apiId, http.apiId, push.queue.queueName, insightStream]) stack.exportValue(each);
  for (const api of [streaming, http]) {
    const logs = accessLogGroupOf(api);
    if (logs) stack.exportValue(logs.logGroupName);
  }
  for (const { handler, logGroup } of Object.values(functionsOf(observed))) {
    stack.exportValue(handler.functionName);
    stack.exportValue(logGroup.logGroupName);
  }
}

/** The same service on machines or on Fargate, with the same flags. */
function addHosts(stack: Stack, flags: Flagwire, props: Pick<FlagwireHostProps, 'ec2' | 'fargate'>): FlagwireHost {
  const hosts = new FlagwireHost(stack, 'Default', { flags, name: deploymentName(flags.config), ...props });
  addOutputs(stack, hosts.outputs);
  Aspects.of(stack).add({ visit: shortenName }, { priority: AspectPriority.READONLY - 1 });
  return hosts;
}

/** A priority above that of tags that CDK adds. */
const OVER_CDK = 1_000;

/** Removes the ids that logical ids do not contain from the tag `Name`, by which consoles show machines and networks. */
function shortenName(node: IConstruct): void {
  const tags = TagManager.of(node);
  const name = tags?.tagValues()['Name'];
  if (name !== undefined) tags?.setTag('Name', name.replaceAll('/Default', ''), OVER_CDK);
}

/** The dashboard that compares the cost of the deployed designs. It is a separate stack, because no other stack knows all designs. */
function addCosts(stack: Stack, config: Config, designs: readonly Design[]): void {
  // An export in use cannot change: otherwise no machine could be replaced, and no host removed.
  CrossStackReferences.of(stack).consume(ReferenceStrength.WEAK);
  const value = addCostDashboard(stack, { deployment: deploymentName(config), designs, lean: config.lean });
  new CfnOutput(stack, 'CostDashboardUrl', { value, description: 'What each design costs' });
}
