import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import {
  NetworkLoadBalancer,
  NetworkTargetGroup,
  Protocol,
  SslPolicy,
  TargetType,
} from 'aws-cdk-lib/aws-elasticloadbalancingv2';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import type { BalancerTls } from '../../config/fargate.ts';
import { acknowledge } from '../acknowledge.ts';
import { addAliasRecords } from '../domain/aliasRecords.ts';
import { HOST_PORT } from '../host/hostEnvironment.ts';
import type { TaskNetwork } from './network.ts';

/**
 * Idle time in seconds after which a host closes a connection. It is below the 350 seconds after which the load balancer drops a connection
 * without notice. TLS listeners cannot change that limit.
 *
 * Source: https://docs.aws.amazon.com/elasticloadbalancing/latest/network/network-load-balancers.html#connection-idle-timeout
 */
export const IDLE_SECONDS = 300;

/** Delay of the stop signal of a task, in which all parts of the load balancer stop sending clients to it. */
const DEREGISTRATION_SECONDS = 30;

/** Ports of the load balancer, browsers' defaults. */
export const listenerPort = (tls: BalancerTls | undefined): number => (tls ? 443 : 80);

/** See {@link addBalancer}. */
export type HostBalancer = ReturnType<typeof addBalancer>;

/**
 * Adds a load balancer with a listener, and the target group of tasks with a readiness check.
 *
 * @param isInternal whether only its own network reaches it
 * @returns with the address for SDKs, without a scheme, and the target of a DNS record
 */
export function addBalancer(
  parent: Construct,
  network: Pick<TaskNetwork, 'vpc' | 'balancerSubnets' | 'balancer'>,
  tls: BalancerTls | undefined,
  isInternal: boolean,
) {
  const scope = new Construct(parent, 'Entry');
  const balancer = new NetworkLoadBalancer(scope, 'Balancer', {
    vpc: network.vpc,
    vpcSubnets: { subnets: network.balancerSubnets },
    internetFacing: !isInternal,
    securityGroups: [network.balancer],
    // The DNS leads a client to one zone. The load balancer chooses among the tasks in all zones.
    crossZoneEnabled: true,
  });
  acknowledge(
    balancer,
    'AwsSolutions-ELB2',
    'A network load balancer logs TLS handshakes only; the hosts count connections, and requests by route and status.',
  );
  // A load balancer with another scheme is another one, and a target group belongs to only one.
  const targets = new NetworkTargetGroup(scope, isInternal ? 'InternalTargets' : 'Targets', {
    vpc: network.vpc,
    port: HOST_PORT,
    protocol: Protocol.TCP,
    targetType: TargetType.IP,
    // Otherwise two clients behind one address could get the same port at a task, through two zones of the load balancer.
    preserveClientIp: false,
    deregistrationDelay: Duration.seconds(DEREGISTRATION_SECONDS),
    // The host closes them itself, one after another.
    connectionTermination: false,
    healthCheck: {
      protocol: Protocol.HTTP,
      path: '/health/readiness',
      healthyHttpCodes: '200',
      interval: Duration.seconds(10),
      timeout: Duration.seconds(5),
      healthyThresholdCount: 2,
      unhealthyThresholdCount: 3,
    },
  });
  // Clients of a stopped task are disconnected immediately and reconnect. Otherwise they would wait for an answer to their pings.
  targets.setAttribute('target_health_state.unhealthy.connection_termination.enabled', 'true');
  balancer.addListener('Listener', {
    port: listenerPort(tls),
    protocol: tls ? Protocol.TLS : Protocol.TCP,
    ...(tls && {
      certificates: [Certificate.fromCertificateArn(scope, 'Certificate', tls.certificateArn)],
      sslPolicy: SslPolicy.RECOMMENDED_TLS,
    }),
    defaultTargetGroups: [targets],
  });
  const { loadBalancerDnsName: dnsName, loadBalancerCanonicalHostedZoneId: hostedZoneId } = balancer;
  if (!tls) return { balancer, targets, host: dnsName };
  const { domainName: host } = tls;
  addAliasRecords(scope, host, tls.hostedZoneId, { dnsName, hostedZoneId }, { Ipv4: 'A' });
  const outputs = { BalancerTarget: { value: dnsName, description: `What ${host} has to point to (CNAME)` } };
  return { balancer, targets, host, outputs };
}
