import { CloudFormationClient, paginateListStackResources } from '@aws-sdk/client-cloudformation';
import { CloudWatchClient, paginateGetMetricData } from '@aws-sdk/client-cloudwatch';
import { CostExplorerClient, GetCostAndUsageCommand } from '@aws-sdk/client-cost-explorer';
import { figuresTable } from '../../shared/command/figuresTable.ts';
import { throughProxy } from '../../shared/runtime/throughProxy.ts';
import { describeCredentialError } from '../../shared/store/table/credentialError.ts';
import { describeNetworkError } from '../../shared/store/table/networkError.ts';
import { money } from '../model/workload/figures.ts';
import { HOST_METERS, SERVERLESS_METERS } from '../prices/meters.ts';
import { priceSheetOf, REGIONS } from '../prices/sheets.ts';
import { actualsOf, type StackActual } from './actualReport.ts';
import { DeploymentError } from './deploymentError.ts';
import { type BillResult, readBill } from './readBill.ts';
import { readUsage } from './readUsage.ts';
import { dimensionsOf, type StackResource } from './resources.ts';
import { hoursOf, readTimeSpan, type TimeSpan } from './timeSpan.ts';

/** The options of `--actual`. */
interface ActualOptions {
  readonly name: string;
  readonly stage: string;
  readonly from?: string;
  readonly to?: string;
  readonly json?: boolean;
}

/** `npm run cost -- --actual`: what a deployment used and cost, by stack, and what AWS has billed. */
export async function showActual({ from, to, name, stage, json }: ActualOptions): Promise<void> {
  const span = readTimeSpan(from, to, Date.now());
  const cloudFormation = new CloudFormationClient({ requestHandler: throughProxy() });
  const region = await cloudFormation.config.region().catch(() => undefined);
  const known = REGIONS.find((each) => each === region);
  if (!known)
    throw new DeploymentError(
      region === undefined
        ? 'no AWS region is set: set AWS_REGION'
        : `there is no price sheet for ${region}. Sheets exist for ${REGIONS.join(' and ')} (cost/prices)`,
    );
  const deployment = `${name}-${stage}`;
  process.stderr.write(`looking for the stacks of ${deployment} in ${region} …\n`);
  const resources = [
    ...(await listStack(cloudFormation, deployment, 'Data')),
    ...(await listStack(cloudFormation, deployment, 'Serverless')),
    ...(await listStack(cloudFormation, deployment, 'Host').catch(unlessMissing)),
  ];
  const dimensions = dimensionsOf(resources, deployment);
  process.stderr.write('reading metrics …\n');
  const cloudWatch = new CloudWatchClient({ requestHandler: throughProxy() });
  const usedOf = await readUsage(
    (MetricDataQueries, { from: StartTime, to: EndTime }) =>
      paginateGetMetricData(
        { client: cloudWatch },
        { MetricDataQueries: [...MetricDataQueries], StartTime, EndTime },
      ) as never,
    [...SERVERLESS_METERS, ...HOST_METERS],
    dimensions,
    span,
    Date.now(),
  );
  const actuals = actualsOf(usedOf, priceSheetOf(known), hoursOf(span), {
    alarms: resources.filter(({ type }) => type === 'AWS::CloudWatch::Alarm').length,
    hasHost: dimensions.host !== undefined,
  });
  // Cost Explorer is in one region for all.
  const explorer = new CostExplorerClient({ region: 'us-east-1', requestHandler: throughProxy() });
  const billed = await readBill(
    (input) => explorer.send(new GetCostAndUsageCommand(input)),
    { app: name.toLowerCase(), stage },
    span,
  );
  console.log(
    json ? JSON.stringify({ name, stage, region, ...span, actuals, billed }, null, 2) : render(actuals, billed, span),
  );
}

/** A deployment may have no host. */
function unlessMissing(error: unknown): StackResource[] {
  if (/does not exist/.test((error as Error).message)) return [];
  throw error;
}

async function listStack(
  client: CloudFormationClient,
  deployment: string,
  stack: StackResource['stack'],
): Promise<StackResource[]> {
  const StackName = `${deployment}-${stack}`;
  const found: StackResource[] = [];
  try {
    for await (const { StackResourceSummaries = [] } of paginateListStackResources({ client }, { StackName })) {
      for (const {
        ResourceType: type = '',
        LogicalResourceId: logicalId = '',
        PhysicalResourceId: physicalId = '',
      } of StackResourceSummaries)
        found.push({ stack, type, logicalId, physicalId });
    }
  } catch (error) {
    const failure = error as Error;
    const reason = describeNetworkError(failure) ?? describeCredentialError(failure) ?? failure.message;
    throw new DeploymentError(`${StackName} cannot be read: ${reason}. --name and --stage choose another deployment`);
  }
  return found;
}

/** The result, for a terminal. */
export function render(actuals: readonly StackActual[], billed: BillResult, span: TimeSpan): string {
  const services = [...new Set(actuals.flatMap((each) => Object.keys(each.services)))];
  const table = figuresTable(
    ['US dollars, list prices', ...actuals.map(({ stack }) => stack)],
    [
      ...services.map((service) => [service, ...actuals.map((each) => money(each.services[service] ?? 0))]),
      ['all', ...actuals.map(({ bill }) => money(bill.total))],
      ['a month like that', ...actuals.map(({ month }) => money(month))],
    ],
  );
  const said =
    'usd' in billed
      ? `Cost Explorer has ${money(billed.usd)} for the whole days from ${billed.from} until ${billed.to}, for everything with the deployment’s tags.`
      : `Cost Explorer’s figure is unavailable: ${billed.reason}.`;
  return [
    `${span.from.toISOString()} to ${span.to.toISOString()}, ${hoursOf(span).toFixed(1)} hours`,
    table,
    said,
    'Not included: data transfer out, message steps above 32 KB, storage, and the start of functions, which Lambda bills and its metric does not count.',
    'Alarms, dashboards and metrics are included in proportion to the hours. Tiers count as if the month began with this period.',
    'The host is priced as a t2.micro. Its reads are among those of the table.',
  ].join('\n');
}
