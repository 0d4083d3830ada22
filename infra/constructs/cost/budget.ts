import { CfnBudget } from 'aws-cdk-lib/aws-budgets';
import { Construct } from 'constructs';

/** The settings of a budget. */
interface BudgetProps {
  /** Values of the tags `app` and `stage`. */
  readonly app: string;
  readonly stage: string;
  /** US dollars a month. */
  readonly monthlyUsd: number;
  readonly email: string;
}

/** Parts of the budget, in percent, at which a mail is sent: spent, or forecast for the month. */
const THRESHOLDS = [
  { notificationType: 'ACTUAL', threshold: 80 },
  { notificationType: 'ACTUAL', threshold: 100 },
  { notificationType: 'FORECASTED', threshold: 100 },
] as const;

/**
 * A budget for all resources with the deployment's tags. AWS counts costs by tag after you have activated the tags `app` and `stage` as
 * cost allocation tags, with a delay of some hours.
 *
 * CloudFormation generates its name. A changed address thus creates a new budget before the old one is deleted.
 *
 * Source: https://docs.aws.amazon.com/awsaccountbilling/latest/aboutv2/activating-tags.html
 */
export class MonthlyBudget extends Construct {
  constructor(scope: Construct, id: string, { app, stage, monthlyUsd, email }: BudgetProps) {
    super(scope, id);
    new CfnBudget(this, 'Budget', {
      budget: {
        budgetType: 'COST',
        timeUnit: 'MONTHLY',
        budgetLimit: { amount: monthlyUsd, unit: 'USD' },
        filterExpression: {
          and: [
            { tags: { key: 'app', values: [app], matchOptions: ['EQUALS'] } },
            { tags: { key: 'stage', values: [stage], matchOptions: ['EQUALS'] } },
          ],
        },
        metrics: ['UnblendedCost'],
      },
      notificationsWithSubscribers: THRESHOLDS.map(({ notificationType, threshold }) => ({
        notification: { notificationType, threshold, thresholdType: 'PERCENTAGE', comparisonOperator: 'GREATER_THAN' },
        subscribers: [{ subscriptionType: 'EMAIL', address: email }],
      })),
    });
  }
}
