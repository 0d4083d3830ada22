import type { ICertificate } from 'aws-cdk-lib/aws-certificatemanager';
import type { IVpc } from 'aws-cdk-lib/aws-ec2';
import { Construct } from 'constructs';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { deploymentName } from '../config/deploymentName.ts';
import { type Group, hostOf } from '../config/props.ts';
import type { Design } from './cost/costDashboard.ts';
import { encryptAll } from './customerKey.ts';
import { addFargateHosts } from './fargate/fargateHosts.ts';
import type { FlagwireBase } from './flagwireBase.ts';
import { addMachineHosts } from './host/machineHosts.ts';
import type { Outputs } from './outputs.ts';

/** Settings of {@link FlagwireHost}. Without `ec2` and `fargate`, hosts run on Fargate with the default settings. */
export interface FlagwireHostProps {
  /** The service whose flags the hosts serve. */
  readonly flags: FlagwireBase;
  /** Settings of the host on an EC2 instance: the group `host` in the file of a stage. */
  readonly ec2?: Group<'host'>;
  /** Settings of hosts on Fargate: the group `fargate` in the file of a stage. */
  readonly fargate?: Group<'fargate'>;
  /**
   * Network of the hosts. On Fargate, the load balancer is in the public subnets, and tasks are in the private subnets with egress.
   * An EC2 instance is in a public subnet.
   *
   * @default a new network with public subnets, without NAT
   */
  readonly vpc?: IVpc;
  /**
   * Certificate for TLS at the load balancer, or for CloudFront in front of an EC2 instance (in us-east-1). It needs `domainName`.
   *
   * @default the settings `tls` of `ec2` or `fargate`
   */
  readonly certificate?: ICertificate;
  /** The domain name of the certificate, for SDKs. Add a CNAME record that points to the output `BalancerTarget` or `DomainTarget`. */
  readonly domainName?: string;
  /**
   * Prefix for the names of alarms and dashboards.
   *
   * @default the prefix of `flags` and the id of the construct
   */
  readonly name?: string;
}

/** The same service as processes on an EC2 instance or on Fargate. It is billed by the hour, and reads the same table. */
export class FlagwireHost extends Construct {
  readonly streamingUrl: string;
  /** Polling URL and events URL for SDKs. */
  readonly pollingUrl: string;
  readonly eventsUrl: string;
  /** Values for users, by name, such as targets of DNS records. */
  readonly outputs: Outputs;
  /** @internal Cost of the design, for the cost dashboard. */
  readonly design: Design | undefined;

  constructor(scope: Construct, id: string, props: FlagwireHostProps) {
    super(scope, id);
    const { flags, vpc } = props;
    const name = props.name ?? `${deploymentName(flags.config)}-${id.replaceAll(/[^A-Za-z0-9]/g, '')}`;
    const config = { ...flags.config, deployment: name };
    const { flagsTable, connectionsTable: connections, insightStream, usageTable: usage, apiUris } = flags;
    const served = { config, flags: flagsTable, insightStream, usage, apiUris, ...omitUndefined({ connections }) };
    const { host, fargate } = hostOf(this, { ...props, ...omitUndefined({ frontDoor: config.frontDoor }) });
    const { design, outputs } = host
      ? addMachineHosts(this, host, served, vpc)
      : addFargateHosts(this, fargate, served, vpc);
    this.design = design;
    this.outputs = outputs;
    this.streamingUrl = this.outputs['StreamingUri']?.value ?? '';
    this.pollingUrl = this.outputs['PollingUri']?.value ?? '';
    this.eventsUrl = this.pollingUrl;
    if (config.kmsKeyArn !== undefined) encryptAll(this, config.kmsKeyArn);
  }
}
