import type { Construct } from 'constructs';
import { HOST_METERS } from '../../../cost/prices/meters.ts';
import { unitPrice } from '../../../cost/prices/priceSheet.ts';
import { DASHBOARDS } from '../../../cost/prices/serviceFacts.ts';
import { type HourlyCost, hourlyCost } from './costMath.ts';
import { sheetFor } from './sheetFor.ts';

/** The one instance type that the price sheet has. */
export const PRICED_HOST = 't2.micro';

/** What one host costs an hour while it runs. */
export function hostCost(scope: Construct, instanceId: string): HourlyCost {
  return hourlyCost('b', HOST_METERS, sheetFor(scope), { host: { InstanceId: instanceId } }, PRICED_HOST);
}

/** US dollars a month that it costs whether it runs or not. */
export function hostStanding(scope: Construct): number {
  return DASHBOARDS * unitPrice(sheetFor(scope), 'dashboard');
}
