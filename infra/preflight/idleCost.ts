import { type Line, priceLines, queuePolls, standing, standingLines } from '../../cost/prices/bill.ts';
import { PRICED_INSTANCES } from '../../cost/prices/meters.ts';
import type { PriceKey } from '../../cost/prices/priceSheet.ts';
import {
  DASHBOARDS,
  DETAILED_METRICS,
  DOOR_ALARMS,
  FARGATE_ALARMS,
  HOST_DISK_GB,
  HOST_METRICS,
  SCALING_ALARMS,
  standingAlarms,
} from '../../cost/prices/serviceFacts.ts';
import { priceSheetOf, REGIONS } from '../../cost/prices/sheets.ts';
import { MONTH_HOURS } from '../../cost/prices/tiers.ts';
import type { Config } from '../config/config.ts';
import { ZONES } from '../config/fargate.ts';
import type { Host } from '../config/host.ts';
import { GENERATOR_DISK_GB } from '../constructs/host/generatorMachine.ts';

/** The cost of a deployment without connections. */
interface IdleCost {
  /** US dollars a month, at list price without free allowances. */
  readonly usd: number;
  /** The region of the prices. */
  readonly region: string;
  /** Items charged in addition, at a price unknown here. */
  readonly unpriced: readonly string[];
}

/** The monthly cost of an unused deployment at list price. @param region its region */
export function idleCost(config: Config, region: string): IdleCost {
  const { host, frontDoor, fargate, connectConcurrency, syncConcurrency, alarms, lean, eventBus } = config;
  const { console: ofConsole } = config;
  const priced = REGIONS.find((each) => each === region) ?? 'us-east-1';
  const lines = [
    ...standingLines(alarms ? standingAlarms(lean, eventBus !== 'off') : 0, lean),
    queuePolls(),
    line('secret', (frontDoor?.secrets?.length ?? 0) + (ofConsole?.signIn.clientSecret === undefined ? 0 : 1)),
    ...(host ? hostLines(host, alarms, frontDoor !== undefined) : []),
    ...(fargate ? fargateLines(fargate, alarms) : []),
  ];
  const provisioned = (connectConcurrency.provisioned ?? 0) + (syncConcurrency.provisioned ?? 0);
  return {
    usd: priceLines(lines, priceSheetOf(priced)).total,
    region: priced,
    unpriced: [
      ...(provisioned > 0 ? [`${provisioned} instances of functions kept warm`] : []),
      ...[host?.instanceType, host?.loadGenerator?.instanceType].flatMap((type) =>
        type === undefined || type in PRICED_INSTANCES ? [] : [`1 ${type} instance`],
      ),
    ],
  };
}

/** A bill line of one AWS price. */
function line(price: PriceKey, quantity: number): Line {
  return standing(price, price, quantity);
}

/** CloudFront in front of the machine is charged by request only. */
function hostLines({ instanceType, loadGenerator }: Host, alarms: boolean, hasFrontDoor: boolean): Line[] {
  return [
    ...machineLines(instanceType, HOST_DISK_GB, HOST_METRICS),
    ...(loadGenerator ? machineLines(loadGenerator.instanceType, GENERATOR_DISK_GB, DETAILED_METRICS) : []),
    line('alarm', hasFrontDoor && alarms ? DOOR_ALARMS : 0),
    line('smallDashboard', DASHBOARDS),
  ];
}

/** A machine has a public address, because it reaches AWS without a NAT gateway. */
function machineLines(type: string, diskGb: number, metrics: number): Line[] {
  const price = PRICED_INSTANCES[type]?.hour;
  return [
    ...(price ? [line(price, MONTH_HOURS)] : []),
    line('publicIpv4Hour', MONTH_HOURS),
    line('diskGb', diskGb),
    line('customMetric', metrics),
  ];
}

function fargateLines(
  { count, vcpu, memoryGb, network, balancer }: NonNullable<Config['fargate']>,
  alarms: boolean,
): Line[] {
  const hours = count * MONTH_HOURS;
  const zones = network?.publicSubnetIds.length ?? ZONES;
  return [
    line('fargateArmVcpuHour', hours * vcpu),
    line('fargateArmGbHour', hours * memoryGb),
    line('publicIpv4Hour', network?.privateSubnetIds ? 0 : hours),
    line('loadBalancerHour', MONTH_HOURS),
    // One address for each zone of a public load balancer.
    line('publicIpv4Hour', balancer === 'public' ? zones * MONTH_HOURS : 0),
    // Tasks in private subnets need one, at least.
    line('natGatewayHour', network?.privateSubnetIds ? MONTH_HOURS : 0),
    line('alarm', (alarms ? FARGATE_ALARMS : 0) + SCALING_ALARMS),
    line('smallDashboard', DASHBOARDS),
  ];
}
