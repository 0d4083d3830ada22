import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';

/** Parts of the budget, in percent, at which a mail is sent: spent, or forecast for the month. */
const THRESHOLDS = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'ACTUAL', threshold: 100 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/**
 * Adds the budget of a deployment, if it has one, for all resources with the deployment's tags. AWS counts costs by tag after you have
 * activated the tags `app` and `stage` as cost allocation tags, with a delay of some hours.
 *
 * CloudFormation generates its name. A changed address thus creates a new budget before the old one is deleted.
 *
 * Source: https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/activating-tags.html
 */
export function addMonthlyBudget(scope: Construct, { name, stage, monthlyBudget: amount, alarmEmail }: Config): void {
  if (amount === undefined || alarmEmail === undefined) return;
  new CfnBudget(new Construct(scope, 'Budget'), 'Budget', {
    budget: {
      budgetType: 'COST',
      timeUnit: 'MONTHLY',
      budgetLimit: { amount, unit: 'USD' },
      filterExpression: {
        and: [
          { tags: { key: 'app', values: [name.toLowerCase()], matchOptions: ['EQUALS'] } },
          { tags: { key: 'stage', values: [stage], matchOptions: ['EQUALS'] } },
        ],
      },
      metrics: ['UnblendedCost'],
    },
    notificationsWithSubscribers: THRESHOLDS.map(({ notificationType, threshold }) => ({
      notification: { notificationType, threshold, thresholdType: 'PERCENTAGE', comparisonOperator: 'GREATER_THAN' },
      subscribers: [{ subscriptionType: 'EMAIL', address: alarmEmail }],
    })),
  });
}
