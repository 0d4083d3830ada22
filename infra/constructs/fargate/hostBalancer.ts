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
import type { Outputs } from '../outputs.ts';
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

/** A load balancer with a listener, and the target group of tasks with a readiness check. */
export class HostBalancer extends Construct {
  readonly balancer: NetworkLoadBalancer;
  readonly targets: NetworkTargetGroup;
  /** Address for SDKs, without a scheme. */
  readonly host: string;
  /** Target of a DNS record, with TLS. */
  readonly outputs: Outputs;

  /**
   * @param port of the tasks
   * @param isInternal whether only its own network reaches it
   */
  constructor(
    scope: Construct,
    id: string,
    network: Pick<TaskNetwork, 'vpc' | 'balancerSubnets' | 'balancer'>,
    tls: BalancerTls | undefined,
    port: number,
    isInternal: boolean,
  ) {
    super(scope, id);
    this.balancer = new NetworkLoadBalancer(this, 'Balancer', {
      vpc: network.vpc,
      vpcSubnets: { subnets: network.balancerSubnets },
      internetFacing: !isInternal,
      securityGroups: [network.balancer],
      // The DNS leads a client to one zone. The load balancer chooses among the tasks in all zones.
      crossZoneEnabled: true,
    });
    acknowledge(
      this.balancer,
      'AwsSolutions-ELB2',
      'A network load balancer logs TLS handshakes only; the hosts count connections, and requests by route and status.',
    );
    // A load balancer with another scheme is another one, and a target group belongs to only one.
    this.targets = new NetworkTargetGroup(this, isInternal ? 'InternalTargets' : 'Targets', {
      vpc: network.vpc,
      port,
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
    if (tls)
      addAliasRecords(
        this,
        tls.domainName,
        tls.hostedZoneId,
        { dnsName: value, hostedZoneId: this.balancer.loadBalancerCanonicalHostedZoneId },
        { Ipv4: 'A' },
      );
    const description = `What ${tls?.domainName} has to point to (CNAME)`;
    this.outputs = tls ? { BalancerTarget: { value, description } } : {};
  }
}
