import type { Construct } from 'constructs';
import { fargateMeters } from '../../../cost/prices/meters.ts';
import { unitPrice } from '../../../cost/prices/priceSheet.ts';
import { DASHBOARDS } from '../../../cost/prices/serviceFacts.ts';
import { MONTH_HOURS } from '../../../cost/prices/tiers.ts';
import type { Fargate } from '../../config/fargate.ts';
import type { Design } from '../cost/costDashboard.ts';
import { hourlyCost } from '../cost/costMath.ts';
import { sheetFor } from '../cost/sheetFor.ts';
import type { ServiceMetrics } from './serviceMetrics.ts';

/**
 * The cost of hosts on Fargate, and of the load balancer in front of them.
 *
 * @param addresses number of public addresses of the load balancer: one in each zone, none if it is internal
 * @param alarms number of metrics of alarms
 */
export function fargateDesign(
  scope: Construct,
  fargate: Fargate,
  metrics: ServiceMetrics,
  addresses: number,
  alarms: number,
): Design {
  const { vcpu, memoryGb: gb, network } = fargate;
  const meters = fargateMeters({ vcpu, gb, addresses: network?.privateSubnetIds ? 0 : 1 });
  const sheet = sheetFor(scope);
  const standing =
    MONTH_HOURS * (unitPrice(sheet, 'loadBalancerHour') + addresses * unitPrice(sheet, 'publicIpv4Hour')) +
    DASHBOARDS * unitPrice(sheet, 'smallDashboard') +
    alarms * unitPrice(sheet, 'alarm');
  const { service: tasks, balancer } = metrics.dimensions;
  return {
    id: 'c',
    hourly: hourlyCost('c', meters, sheet, { tasks, balancer }, 'Fargate', standing),
    connections: metrics.balancer('ActiveFlowCount', 'Average'),
    syncs: metrics.balancer('NewFlowCount', 'Sum'),
  };
}
