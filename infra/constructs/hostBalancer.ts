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
import type { BalancerTls } from '../config/fargate.ts';
import { acknowledge } from './acknowledge.ts';
import type { TaskNetwork } from './fargate/network.ts';
import type { Outputs } from './outputs.ts';

/**
 * Seconds of silence after which a host closes a connection, if its keep-alive has not been heard: fewer than the 350 after which
 * the balancer forgets it, without notice. TLS listeners cannot change those.
 *
 * Source: https://docs.aws.amazon.com/elasticloadbalancing/latest/network/network-load-balancers.html#connection-idle-timeout
 */
export const IDLE_SECONDS = 300;

/** How long a task that is to stop still gets no signal, so that every part of the balancer has stopped sending clients to it. */
const DEREGISTRATION_SECONDS = 30;

/** Where the balancer listens: as browsers expect it. */
export const listenerPort = (tls: BalancerTls | undefined): number => (tls ? 443 : 80);

/** What differs between hosts on Fargate and on machines. */
interface BalancerOptions {
  readonly isInternal?: boolean;
  readonly targetType?: TargetType;
}

/** Balancer, listener, and the group of tasks behind it, which are asked for their readiness. */
export class HostBalancer extends Construct {
  readonly balancer: NetworkLoadBalancer;
  readonly targets: NetworkTargetGroup;
  /** Where SDKs reach it, without a scheme. */
  readonly host: string;
  /** What a DNS record has to point to, with TLS. */
  readonly outputs: Outputs;

  /**
   * @param port of the hosts
   * @param isInternal whether only its own network reaches it
   * @param targetType how hosts are named: tasks by their addresses
   */
  constructor(
    scope: Construct,
    id: string,
    network: Pick<TaskNetwork, 'vpc' | 'balancerSubnets' | 'balancer'>,
    tls: BalancerTls | undefined,
    port: number,
    { isInternal = false, targetType = TargetType.IP }: BalancerOptions = {},
  ) {
    super(scope, id);
    this.balancer = new NetworkLoadBalancer(this, 'Balancer', {
      vpc: network.vpc,
      vpcSubnets: { subnets: network.balancerSubnets },
      internetFacing: !isInternal,
      securityGroups: [network.balancer],
      // A client comes to one zone by the DNS, and is to find the emptiest task in all of them.
      crossZoneEnabled: true,
    });
    acknowledge(
      this.balancer,
      'AwsSolutions-ELB2',
      'A network load balancer logs TLS handshakes only; the hosts count connections, and requests by route and status.',
    );
    // A balancer of another scheme is another balancer, and a group belongs to one only.
    this.targets = new NetworkTargetGroup(this, isInternal ? 'InternalTargets' : 'Targets', {
      vpc: network.vpc,
      port,
      protocol: Protocol.TCP,
      targetType,
      // Two clients behind one address could meet on one port of a task otherwise, by two zones of the balancer.
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
    // Clients of a task that is gone are disconnected at once, and reconnect; otherwise they would wait for an answer to their pings.
    this.targets.setAttribute('target_health_state.unhealthy.connection_termination.enabled', 'true');
    this.balancer.addListener('Listener', {
      port: listenerPort(tls),
      protocol: tls ? Protocol.TLS : Protocol.TCP,
      ...(tls
        ? {
            certificates: [Certificate.fromCertificateArn(this, 'Certificate', tls.certificateArn)],
            sslPolicy: SslPolicy.RECOMMENDED_TLS,
          }
        : {}),
      defaultTargetGroups: [this.targets],
    });
    const value = this.balancer.loadBalancerDnsName;
    this.host = tls?.domainName ?? value;
    const description = `What ${tls?.domainName} has to point to (CNAME)`;
    this.outputs = tls ? { BalancerTarget: { value, description } } : {};
  }
}
