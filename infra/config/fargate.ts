import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { ConfigError } from './configError.ts';
import type { Context } from './contextKeys.ts';

/** A network that is there already. */
export interface GivenNetwork {
  readonly vpcId: string;
  /** Subnets of the balancer; of the tasks, too, where those have none of their own. */
  readonly publicSubnetIds: readonly string[];
  readonly privateSubnetIds?: readonly string[];
}

/** The name and certificate by which the balancer speaks TLS. */
export interface BalancerTls {
  readonly domainName: string;
  readonly certificateArn: string;
}

/** The same service as tasks behind a network load balancer; each is described with its context key (fargateKeys.ts). */
export interface Fargate {
  readonly vcpu: number;
  readonly memoryGb: number;
  /** Tasks at least, and at most. */
  readonly count: number;
  readonly maximum: number;
  readonly connections: number;
  readonly spotPercent: number;
  readonly drainSeconds: number;
  readonly image: string;
  readonly network?: GivenNetwork;
  readonly tls?: BalancerTls;
}

/**
 * GB that a task can have, by its processors.
 *
 * Source: https://docs.aws.amazon.com/AmazonECS/latest/developerguide/fargate-tasks-services.html
 */
const MEMORY_GB: Readonly<Record<Context['flagwire:taskVcpu'], readonly number[]>> = {
  0.25: [0.5, 1, 2],
  0.5: [1, 2, 3, 4],
  1: [2, 3, 4, 5, 6, 7, 8],
};

/**
 * What the context says of it.
 *
 * @returns undefined where it is not asked for
 * @throws ConfigError naming the key, where settings do not fit each other
 */
export function fargateOf(context: Context): Fargate | undefined {
  if (!context['flagwire:fargate']) return undefined;
  const { 'flagwire:taskCount': count, 'flagwire:taskMaximum': maximum } = context;
  if (maximum < count) {
    throw new ConfigError(
      `Context flagwire:taskMaximum=${maximum} cannot be used: ${count} tasks run at least (flagwire:taskCount).`,
    );
  }
  const network = networkOf(context);
  const tls = tlsOf(context);
  return {
    vcpu: context['flagwire:taskVcpu'],
    memoryGb: memoryOf(context),
    count,
    maximum,
    connections: context['flagwire:taskConnections'],
    spotPercent: context['flagwire:taskSpotPercent'],
    drainSeconds: context['flagwire:taskDrainSeconds'],
    image: context['flagwire:taskImage'],
    ...omitUndefined({ network, tls }),
  };
}

function memoryOf({ 'flagwire:taskVcpu': vcpu, 'flagwire:taskMemoryGb': gb = 2 * vcpu }: Context): number {
  const steps = MEMORY_GB[vcpu];
  if (steps.includes(gb)) return gb;
  throw new ConfigError(
    `Context flagwire:taskMemoryGb=${gb} cannot be used: a task of ${vcpu} vCPU has ${steps.join(', ')} GB.`,
  );
}

function networkOf(context: Context): GivenNetwork | undefined {
  const {
    'flagwire:vpcId': vpcId,
    'flagwire:publicSubnetIds': publicSubnetIds,
    'flagwire:privateSubnetIds': privateSubnetIds,
  } = context;
  if (vpcId !== undefined && publicSubnetIds !== undefined)
    return { vpcId, publicSubnetIds, ...omitUndefined({ privateSubnetIds }) };
  const half = [vpcId && 'vpcId', publicSubnetIds && 'publicSubnetIds', privateSubnetIds && 'privateSubnetIds'].find(
    Boolean,
  );
  if (half === undefined) return undefined;
  const missing = vpcId === undefined ? 'vpcId' : 'publicSubnetIds';
  throw new ConfigError(`Context flagwire:${half} cannot be used alone: a network also takes flagwire:${missing}.`);
}

function tlsOf(context: Context): BalancerTls | undefined {
  const {
    'flagwire:balancerDomainName': domainName,
    'flagwire:balancerCertificateArn': certificateArn,
    'flagwire:region': region,
  } = context;
  if (domainName === undefined && certificateArn === undefined) return undefined;
  if (domainName === undefined || certificateArn === undefined) {
    const [half, missing] =
      domainName === undefined ? ['CertificateArn', 'DomainName'] : ['DomainName', 'CertificateArn'];
    throw new ConfigError(
      `Context flagwire:balancer${half} cannot be used alone: TLS also takes flagwire:balancer${missing}.`,
    );
  }
  if (region !== undefined && certificateArn.split(':')[3] !== region) {
    throw new ConfigError(
      `Context flagwire:balancerCertificateArn=${certificateArn} cannot be used: the region is ${region}.`,
    );
  }
  return { domainName, certificateArn };
}
