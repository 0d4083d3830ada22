import type { IMetric } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { hostMeters, PRICED_INSTANCES } from '../../../cost/prices/meters.ts';
import { unitPrice } from '../../../cost/prices/priceSheet.ts';
import { DASHBOARDS } from '../../../cost/prices/serviceFacts.ts';
import type { Design } from './costDashboard.ts';
import { hourlyCost } from './costMath.ts';
import { sheetFor } from './sheetFor.ts';

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
