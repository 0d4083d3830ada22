import type { Construct } from 'constructs';
import { fargateMeters } from '../../../cost/prices/meters.ts';
import { unitPrice } from '../../../cost/prices/priceSheet.ts';
import { DASHBOARDS } from '../../../cost/prices/serviceFacts.ts';
import { MONTH_HOURS } from '../../../cost/prices/tiers.ts';
import type { Fargate } from '../../config/fargate.ts';
import { type HourlyCost, hourlyCost } from '../cost/costMath.ts';
import { sheetFor } from '../cost/sheetFor.ts';
import type { ServiceDimensions } from '../serviceMetrics.ts';

/** What tasks, and what goes through the balancer, cost an hour. */
export function fargateCost(scope: Construct, fargate: Fargate, { balancer, service }: ServiceDimensions): HourlyCost {
  const { vcpu, memoryGb: gb, network } = fargate;
  const meters = fargateMeters({ vcpu, gb, addresses: network?.privateSubnetIds ? 0 : 1 });
  return hourlyCost('c', meters, sheetFor(scope), { balancer, tasks: service }, 'Fargate');
}

/**
 * US dollars a month that the stack costs without its tasks, used or not.
 *
 * @param zones that the balancer is in, with an address in each
 */
export function fargateStanding(scope: Construct, zones: number, alarms: number): number {
  const sheet = sheetFor(scope);
  return (
    MONTH_HOURS * (unitPrice(sheet, 'loadBalancerHour') + zones * unitPrice(sheet, 'publicIpv4Hour')) +
    DASHBOARDS * unitPrice(sheet, 'dashboard') +
    alarms * unitPrice(sheet, 'alarm')
  );
}
