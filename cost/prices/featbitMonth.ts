import { type PriceKey, unitPrice } from './priceSheet.ts';
import { priceSheetOf } from './sheets.ts';
import { MONTH_HOURS } from './tiers.ts';

/** A part of FeatBit's deployment on AWS. */
interface FeatbitPart {
  readonly what: string;
  /** Units a month. */
  readonly units: number;
  /** US dollars for one unit. */
  readonly usd: number;
  readonly source: string;
  /** When the price was read. */
  readonly asOf: string;
  /** Whether a second place confirms the price. */
  readonly isConfirmed: boolean;
}

const sheet = priceSheetOf('us-east-1');

/** A part with a price of the sheet. */
function fromSheet(what: string, units: number, key: PriceKey): FeatbitPart {
  const { source, asOf, isConfirmed } = sheet.prices[key];
  return { what, units, usd: unitPrice(sheet, key), source, asOf, isConfirmed };
}

/**
 * What FeatBit's Terraform (featbit/featbit-terraform-aws, commit 912ac47) starts in two zones, at prices of us-east-1. Storage, requests,
 * logs and data transfer are left out, because they depend on use.
 */
export const FEATBIT_PARTS: readonly FeatbitPart[] = [
  {
    what: 'Aurora PostgreSQL, one `db.r8g.large`',
    units: MONTH_HOURS,
    usd: 0.276,
    source: 'https://aws.amazon.com/rds/aurora/pricing/',
    asOf: '2026-11',
    isConfirmed: false,
  },
  {
    what: 'ElastiCache for Valkey, one `cache.t4g.micro`',
    units: MONTH_HOURS,
    usd: 0.0128,
    source: 'https://aws.amazon.com/elasticache/pricing/',
    asOf: '2026-10',
    isConfirmed: true,
  },
  fromSheet('Fargate, four tasks of 0.5 vCPU', 4 * 0.5 * MONTH_HOURS, 'fargateVcpuHour'),
  fromSheet('Fargate, four tasks of 1 GB', 4 * MONTH_HOURS, 'fargateGbHour'),
  {
    what: 'Application Load Balancer',
    units: MONTH_HOURS,
    usd: 0.0225,
    source: 'https://aws.amazon.com/elasticloadbalancing/pricing/',
    asOf: '2026-11',
    isConfirmed: true,
  },
  fromSheet('two NAT gateways', 2 * MONTH_HOURS, 'natGatewayHour'),
  {
    what: 'jump host, one `t3.nano`',
    units: MONTH_HOURS,
    usd: 0.0052,
    source: 'https://aws.amazon.com/ec2/pricing/on-demand/',
    asOf: '2026-11',
    isConfirmed: true,
  },
  fromSheet('five public IPv4 addresses', 5 * MONTH_HOURS, 'publicIpv4Hour'),
  fromSheet('twelve CloudWatch alarms', 12, 'alarm'),
];

/** US dollars a month for FeatBit's deployment on AWS without clients. */
export function featbitMonth(): number {
  return FEATBIT_PARTS.reduce((sum, { units, usd }) => sum + units * usd, 0);
}
