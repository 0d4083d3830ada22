import { Dashboard, GraphWidget, type IMetric, type IWidget } from 'aws-cdk-lib/aws-cloudwatch';
import { Duration, Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';

/**
 * Creates a dashboard whose name ends in the region, because dashboard names are unique in an account across all regions.
 *
 * @param hours initial time range
 * @returns its URL, after signing in
 */
export function addDashboard(
  scope: Construct,
  id: string,
  name: string,
  hours: number,
  widgets: readonly IWidget[][],
): string {
  const { region } = Stack.of(scope);
  const dashboardName = `${name}-${region}`;
  const defaultInterval = Duration.hours(hours);
  new Dashboard(new Construct(scope, id), 'Dashboard', { dashboardName, defaultInterval, widgets: [...widgets] });
  return `https://${region}.console.aws.amazon.com/cloudwatch/home?region=${region}#dashboards:name=${dashboardName}`;
}

/** A graph that starts at zero, three to a row. */
export function graph(title: string, left: IMetric[], right: IMetric[] = []): GraphWidget {
  return new GraphWidget({ title, left, right, width: 8, height: 6, leftYAxis: { min: 0 } });
}
