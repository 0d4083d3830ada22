import { HttpApi, HttpMethod, HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';
import { deploymentName } from '../../config/deploymentName.ts';
import { acknowledge } from '../acknowledge.ts';
import { type ItemFamily, itemsUnder } from '../itemsUnder.ts';
import type { Concern } from '../observability/concern.ts';
import { period } from '../observed.ts';
import { ServiceFunction } from '../serviceFunction.ts';
import { accessLogs, httpLogFields } from '../streaming/accessLogs.ts';
import { WEBHOOK_LIMITS } from '../streaming/routeShares.ts';

/**
 * Undoes the steps of plans: alarm in ALARM → rule → Guard → flags table, and signed request → HTTP API → Guard → flags table. The tick
 * also reads alarms before each step.
 */
export class PlanGuards extends Construct {
  /** Base URL of webhooks: `https://…`, without a slash at the end. */
  readonly webhookUrl: string;
  readonly concerns: readonly Concern[];

  constructor(scope: Construct, id: string, { config, flags }: { readonly config: Config; readonly flags: ITableV2 }) {
    super(scope, id);
    const guard = new ServiceFunction(this, 'Guard', {
      config,
      entry: 'functions/lambda/guard.ts',
      environment: { FLAGS_TABLE: flags.tableName },
      // An alarm can guard all plans of an environment. Each undo takes about 200 ms.
      timeoutSeconds: 300,
      memoryMb: 512,
    });
    const allow = (actions: string[], ...families: readonly ItemFamily[]) =>
      guard.allow(actions, [flags.tableArn], itemsUnder(...families));
    allow(['dynamodb:Query'], 'GUARD#*', 'PLAN#*', 'ENV#*', 'HISTORY#*');
    allow(['dynamodb:GetItem'], 'PLAN#*', 'ENV#*', 'VERSION#*', 'HOOK#*');
    allow(['dynamodb:PutItem'], 'PLAN#*', 'ENV#*', 'VERSION#*', 'JOURNAL#*', 'HISTORY#*');
    allow(['dynamodb:DeleteItem'], 'PLAN#*', 'DUE', 'GUARD#*');
    guard.allow(['cloudwatch:DescribeAlarms', 'cloudwatch:ListTagsForResource'], ['*']);
    acknowledge(guard.role, 'AwsSolutions-IAM5[Resource::*]', 'Any alarm of the account can be a guard.');
    // The cast: CDK's own classes do not fit its interfaces under exactOptionalPropertyTypes.
    const target = new LambdaFunction(guard.handler) as IRuleTarget;
    new Rule(this, 'Alarms', {
      eventPattern: {
        source: ['aws.cloudwatch'],
        detailType: ['CloudWatch Alarm State Change'],
        detail: { state: { value: ['ALARM'] } },
      },
      targets: [target],
    });
    this.webhookUrl = this.#addWebhook(config, guard);
    this.concerns = [
      {
        name: 'guard-errors',
        metric: guard.handler.metricErrors({ statistic: 'Sum', period }),
        limit: 0,
        meaning:
          'An alarm that guards plans is in ALARM, but steps of plans could not be undone. Find the plan and the cause in the log of guard. To undo them, run: history, then undo <version>.',
      },
    ];
  }

  /** A separate API, because a deployment that serves flags from hosts has no other. A function URL has no limit of requests. */
  #addWebhook(config: Config, { handler }: ServiceFunction): string {
    const api = new HttpApi(this, 'Webhook', {
      apiName: `${deploymentName(config)}-webhook`,
      createDefaultStage: false,
    });
    acknowledge(api, 'AwsSolutions-APIG4', 'The function checks the signature of each request.');
    api.addRoutes({
      path: '/guards/{environment}/{plan}',
      methods: [HttpMethod.POST],
      integration: new HttpLambdaIntegration('Integration', handler),
    });
    new HttpStage(this, 'WebhookStage', {
      httpApi: api,
      stageName: '$default',
      autoDeploy: true,
      throttle: WEBHOOK_LIMITS,
      accessLogSettings: accessLogs(this, config, { apiId: api.apiId, fields: httpLogFields }),
    });
    const { region, urlSuffix } = Stack.of(this);
    return `https://${api.apiId}.execute-api.${region}.${urlSuffix}`;
  }
}
