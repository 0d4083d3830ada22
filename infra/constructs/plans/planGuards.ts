import { HttpApi, HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { type IRuleTarget, Rule } from 'aws-cdk-lib/aws-events';
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets';
import { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';
import { deploymentName } from '../../config/deploymentName.ts';
import { acknowledge, acknowledgeAll } from '../acknowledge.ts';
import type { Concern } from '../observability/concern.ts';
import { period } from '../observed.ts';
import { ServiceFunction } from '../serviceFunction.ts';
import { addHttpStage, hostOf } from '../streaming/httpStage.ts';
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
    addHttpStage(this, 'WebhookStage', config, api, WEBHOOK_LIMITS);
    return `https://${hostOf(api)}`;
  }
}
