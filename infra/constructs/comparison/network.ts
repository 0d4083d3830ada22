import {
  GatewayVpcEndpointAwsService,
  type IVpc,
  Peer,
  Port,
  SecurityGroup,
  SubnetType,
  Vpc,
} from 'aws-cdk-lib/aws-ec2';
import { Fn } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';

/**
 * A network of its own for the comparison: one public subnet in one zone, as the published benchmark had both sides in
 * one network, and no NAT gateway, which would cost more than the host. Only the load generator reaches the host.
 */
export class ComparisonNetwork extends Construct {
  readonly vpc: IVpc;
  readonly host: SecurityGroup;
  readonly generator: SecurityGroup;

  /** @param availabilityZone the region's first where none is named */
  constructor(scope: Construct, id: string, port: number, availabilityZone: string | undefined) {
    super(scope, id);
    const vpc = new Vpc(this, 'Vpc', {
      // Named here, and not looked up, so that synthesis needs no account.
      availabilityZones: [availabilityZone ?? Fn.select(0, Fn.getAzs())],
      natGateways: 0,
      subnetConfiguration: [{ name: 'Public', subnetType: SubnetType.PUBLIC, mapPublicIpOnLaunch: true }],
      restrictDefaultSecurityGroup: false,
      gatewayEndpoints: {
        DynamoDb: { service: GatewayVpcEndpointAwsService.DYNAMODB },
        S3: { service: GatewayVpcEndpointAwsService.S3 },
      },
    });
    // CDK declares the two apart under exactOptionalPropertyTypes.
    this.vpc = vpc as IVpc;
    acknowledge(
      vpc,
      'AwsSolutions-VPC7',
      'The network exists for measurements of two machines of ours; flow logs would cost more than it.',
    );
    const group = (name: string, description: string) =>
      new SecurityGroup(this, name, { vpc: this.vpc, description, allowAllOutbound: false });
    this.generator = group('Generator', 'The load generator: nobody reaches it');
    this.host = group('Host', 'The host: reached by the load generator only');
    this.host.addIngressRule(this.generator, Port.tcp(port), 'the load');
    this.generator.addEgressRule(this.host, Port.tcp(port), 'the load');
    for (const each of [this.host, this.generator]) {
      each.addEgressRule(Peer.anyIpv4(), Port.tcp(443), 'AWS: DynamoDB, S3, Session Manager, CloudWatch, packages');
    }
  }
}
