import { type Line, priceLines } from '../../cost/prices/bill.ts';
import type { PriceKey } from '../../cost/prices/priceSheet.ts';
import {
  ALARMS,
  DASHBOARDS,
  FARGATE_ALARMS,
  HOST_DISK_GB,
  HOST_METRICS,
  LEAN_ALARMS,
  QUEUE_POLLS_A_DAY,
} from '../../cost/prices/serviceFacts.ts';
import { priceSheetOf, REGIONS } from '../../cost/prices/sheets.ts';
import { MONTH_HOURS } from '../../cost/prices/tiers.ts';
import type { Config } from '../config/config.ts';
import { ZONES } from '../constructs/fargate/network.ts';

/** What a deployment costs while nobody is connected. */
export interface IdleCost {
  /** US dollars a month, at list price without free allowances. */
  readonly usd: number;
  /** The region whose prices these are. */
  readonly region: string;
  /** What is charged as well, and has no price here. */
  readonly unpriced: readonly string[];
}

/** What a deployment costs a month that nobody uses, at list price. @param region where it goes */
export function idleCost(config: Config, region: string): IdleCost {
  const { host, fargate, connectConcurrency, syncConcurrency } = config;
  const priced = REGIONS.find((each) => each === region) ?? 'us-east-1';
  const isPricedHost = host?.instanceType === 't2.micro';
  const lines = [
    ...serverlessLines(config),
    ...(host && isPricedHost ? hostLines() : []),
    ...(fargate ? fargateLines(fargate, config.alarms) : []),
  ];
  const provisioned = (connectConcurrency.provisioned ?? 0) + (syncConcurrency.provisioned ?? 0);
  return {
    usd: priceLines(lines, priceSheetOf(priced)).total,
    region: priced,
    unpriced: [
      ...(provisioned > 0 ? [`${provisioned} instances of functions kept warm`] : []),
      ...(host && !isPricedHost ? [`a host of type ${host.instanceType}`] : []),
      ...(host?.loadGenerator ? [`a load generator of type ${host.loadGenerator.instanceType}`] : []),
    ],
  };
}

/** One line of one AWS price. */
function line(price: PriceKey, quantity: number): Line {
  return { price, quantity, purpose: 'machines', what: price };
}

/** Alarms, the dashboard, and requests by which Lambda asks queues for work. */
function serverlessLines({ alarms, lean }: Config): Line[] {
  return [
    line('alarm', alarms ? (lean ? LEAN_ALARMS : ALARMS) : 0),
    line(lean ? 'smallDashboard' : 'dashboard', DASHBOARDS),
    line('queueRequest', (QUEUE_POLLS_A_DAY * MONTH_HOURS) / 24),
  ];
}

function hostLines(): Line[] {
  return [
    line('t2MicroHour', MONTH_HOURS),
    line('publicIpv4Hour', MONTH_HOURS),
    line('diskGb', HOST_DISK_GB),
    line('customMetric', HOST_METRICS),
    line('dashboard', DASHBOARDS),
  ];
}

function fargateLines({ count, vcpu, memoryGb, network }: NonNullable<Config['fargate']>, alarms: boolean): Line[] {
  const hours = count * MONTH_HOURS;
  const zones = network?.publicSubnetIds.length ?? ZONES;
  return [
    line('fargateArmVcpuHour', hours * vcpu),
    line('fargateArmGbHour', hours * memoryGb),
    line('loadBalancerHour', MONTH_HOURS),
    line('publicIpv4Hour', zones * MONTH_HOURS + (network?.privateSubnetIds ? 0 : hours)),
    line('alarm', alarms ? FARGATE_ALARMS : 0),
    line('smallDashboard', DASHBOARDS),
  ];
}
