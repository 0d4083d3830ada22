import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import {
  type Dimensions,
  fargateMeters,
  hostMeters,
  type Meter,
  PRICED_INSTANCES,
} from '../../../cost/prices/meters.ts';
import { unitPrice } from '../../../cost/prices/priceSheet.ts';
import { DASHBOARDS } from '../../../cost/prices/serviceFacts.ts';
import { MONTH_HOURS } from '../../../cost/prices/tiers.ts';
import type { Fargate } from '../../config/fargate.ts';
import type { ServiceMetrics } from '../serviceMetrics.ts';
import type { Design } from './costDashboard.ts';
import { hourlyCost } from './costMath.ts';
import { sheetFor } from './sheetFor.ts';

/** Meters of {@link fargateMeters} that are not of tasks. */
const BALANCER_METERS = fargateMeters({ vcpu: 0, gb: 0, addresses: 0 });

/** A load balancer in front of hosts. */
interface Balanced {
  readonly metrics: ServiceMetrics;
  /** Number of public addresses: one in each zone, none if it is internal. */
  readonly addresses: number;
  /** Number of metrics of alarms. */
  readonly alarms: number;
}

/**
 * The cost of one host on a machine. Undefined if the price sheet lacks the instance type.
 *
 * @param alarms number of alarms, of a front door
 */
export function singleHostDesign(
  scope: Construct,
  type: string,
  InstanceId: string,
  connections: IMetric,
  alarms: number,
): Design | undefined {
  const price = PRICED_INSTANCES[type];
  if (!price) return undefined;
  const meters = hostMeters(price.hour, price.surplus);
  const sheet = sheetFor(scope);
  const standing = DASHBOARDS * unitPrice(sheet, 'smallDashboard') + alarms * unitPrice(sheet, 'alarm');
  return {
    id: 'b',
    hourly: hourlyCost('b', meters, sheet, { host: { InstanceId } }, type, standing),
    connections,
  };
}

/** The cost of several hosts on machines. Undefined if the price sheet lacks the instance type. */
export function hostGroupDesign(
  scope: Construct,
  group: Balanced & { readonly type: string; readonly count: number; readonly groupName: string },
): Design | undefined {
  const { type, count, groupName: AutoScalingGroupName } = group;
  const price = PRICED_INSTANCES[type];
  if (!price) return undefined;
  const meters = [...hostMeters(price.hour, price.surplus), ...BALANCER_METERS];
  return balancedDesign(scope, 'b', `${count} × ${type}`, group, meters, { host: { AutoScalingGroupName } });
}

/** The cost of hosts on Fargate. */
export function fargateDesign(
  scope: Construct,
  { fargate, ...balanced }: Balanced & { readonly fargate: Fargate },
): Design {
  const { vcpu, memoryGb: gb, network } = fargate;
  const meters = fargateMeters({ vcpu, gb, addresses: network?.privateSubnetIds ? 0 : 1 });
  return balancedDesign(scope, 'c', 'Fargate', balanced, meters, { tasks: balanced.metrics.dimensions.service });
}

function balancedDesign(
  scope: Construct,
  id: string,
  label: string,
  { metrics, addresses, alarms }: Balanced,
  meters: readonly Meter[],
  hosts: Dimensions,
): Design {
  const sheet = sheetFor(scope);
  const standing =
    MONTH_HOURS * (unitPrice(sheet, 'loadBalancerHour') + addresses * unitPrice(sheet, 'publicIpv4Hour')) +
    DASHBOARDS * unitPrice(sheet, 'smallDashboard') +
    alarms * unitPrice(sheet, 'alarm');
  const dimensions = { ...hosts, balancer: metrics.dimensions.balancer };
  return {
    id,
    hourly: hourlyCost(id, meters, sheet, dimensions, label, standing),
    connections: metrics.balancer('ActiveFlowCount', 'Average'),
    syncs: metrics.balancer('NewFlowCount', 'Sum'),
  };
}
