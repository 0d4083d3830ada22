import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';
import { deploymentName } from '../../config/deploymentName.ts';
import { acknowledge, acknowledgeAll } from '../acknowledge.ts';
import { period } from '../observed.ts';
import { type ServedTables, ServiceFunction } from '../serviceFunction.ts';
import { addHttpStage, hostOf } from '../streaming/httpStage.ts';
import { WEBHOOK_LIMITS } from '../streaming/routeShares.ts';

/**
 * Adds what undoes the steps of plans: alarm in ALARM → rule → Guard → flags table, and signed request → HTTP API → Guard → flags table.
 * The tick also reads alarms before each step.
 *
 * @returns the base URL of webhooks: `https://…`, without a slash at the end
 */
export function addPlanGuards(parent: Construct, { config, flags }: Omit<ServedTables, 'connections'>) {
  const scope = new Construct(parent, 'Guards');
  const guard = new ServiceFunction(scope, 'Guard', {
    config,
    entry: 'functions/lambda/guard.ts',
    environment: { FLAGS_TABLE: flags.tableName },
    // An alarm can guard all plans of an environment. Each undo takes about 200 ms.
    timeoutSeconds: 300,
    memoryMb: 512,
  });
  guard.allowItems(['dynamodb:Query'], flags, 'GUARD#*', 'PLAN#*', 'ENV#*', 'HISTORY#*');
  guard.allowItems(['dynamodb:GetItem'], flags, 'PLAN#*', 'ENV#*', 'VERSION#*', 'HOOK#*');
  guard.allowItems(['dynamodb:PutItem'], flags, 'PLAN#*', 'ENV#*', 'VERSION#*', 'JOURNAL#*', 'HISTORY#*');
  guard.allowItems(['dynamodb:DeleteItem'], flags, 'PLAN#*', 'DUE', 'GUARD#*');
  guard.allow(['cloudwatch:DescribeAlarms', 'cloudwatch:ListTagsForResource'], ['*']);
  acknowledgeAll(guard.role, 'Any alarm of the account can be a guard.');
  // No dead-letter queue: EventBridge retries for 24 hours, and Lambda for 6. Nobody must replay an older event, because the alarm may be
  // over. Steps that are due read the alarm themselves, and guard-errors counts what fails in the function.
  // The cast: CDK's own classes do not fit its interfaces under exactOptionalPropertyTypes.
  const target = new LambdaFunction(guard.handler) as IRuleTarget;
  new Rule(scope, 'Alarms', {
    eventPattern: {
      source: ['aws.cloudwatch'],
      detailType: ['CloudWatch Alarm State Change'],
      detail: { state: { value: ['ALARM'] } },
    },
    targets: [target],
  });
  const webhookUrl = addWebhook(scope, config, guard);
  const concerns = [
    {
      name: 'guard-errors',
      metric: guard.handler.metricErrors({ statistic: 'Sum', period }),
      limit: 0,
      meaning:
        'An alarm that guards plans is in ALARM, but steps of plans could not be undone. Find the plan and the cause in the log of guard. To undo them, run: history, then undo <version>.',
    },
  ];
  return { webhookUrl, concerns };
}

/** A separate API, because a deployment that serves flags from hosts has no other. A function URL has no limit of requests. */
function addWebhook(scope: Construct, config: Config, { handler }: ServiceFunction): string {
  const api = new HttpApi(scope, 'Webhook', {
    apiName: `${deploymentName(config)}-webhook`,
    createDefaultStage: false,
  });
  acknowledge(api, 'AwsSolutions-APIG4', 'The function checks the signature of each request.');
  api.addRoutes({
    path: '/guards/{environment}/{plan}',
    methods: [HttpMethod.POST],
    integration: new HttpLambdaIntegration('Integration', handler),
  });
  addHttpStage(scope, 'WebhookStage', config, api, WEBHOOK_LIMITS);
  return `https://${hostOf(api)}`;
}
