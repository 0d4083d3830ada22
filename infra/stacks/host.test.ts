import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import type { Settings } from '../config/settingsSchema.ts';
import { synthesizedTemplates } from '../testing/synthesizedTemplates.ts';
import { onlyResourceOf, resourcesOf, templateWith, textOf } from './testing/templates.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const template = (host: Settings['host'] = true, settings: Settings = {}) =>
  templateWith('Host', { ...settings, host });
const withGenerator = () => template({ loadGenerator: true });
const userDataOf = (properties: Readonly<Record<string, unknown>>) =>
  textOf((properties['UserData'] as { 'Fn::Base64': unknown })['Fn::Base64']);

describe('the host stack', () => {
  test('is made only when it is asked for', () => {
    expect(Object.keys(synthesizedTemplates(readConfig()))).not.toContain('Flagwire-dev-Host');
    expect(() => readConfig({ host: { instanceType: 'micro' } })).toThrow('looks like t2.micro');
  });

  test('is one t2.micro that slows down without credits, of another type when told so', () => {
    expect(onlyResourceOf(template(), 'AWS::EC2::Instance').properties).toMatchObject({
      InstanceType: 't2.micro',
      CreditSpecification: { CPUCredits: 'standard' },
      Monitoring: true,
    });
    const other = template({ instanceType: 'c7g.medium' });
    const { properties } = onlyResourceOf(other, 'AWS::EC2::Instance');
    expect(properties['InstanceType']).toBe('c7g.medium');
    expect(properties['CreditSpecification']).toBeUndefined();
  });

  test('has no key and no open SSH, metadata by token only, and encrypted disks', () => {
    const [...machines] = resourcesOf(withGenerator(), 'AWS::EC2::Instance');
    expect(machines).toHaveLength(2);
    for (const { properties } of machines) {
      expect(properties['KeyName']).toBeUndefined();
      expect(properties['BlockDeviceMappings']).toMatchObject([{ Ebs: { Encrypted: true, VolumeType: 'gp3' } }]);
      expect(properties['MetadataOptions']).toEqual({ HttpTokens: 'required', HttpPutResponseHopLimit: 1 });
    }
  });

  test('lets the load generator reach the host’s port, and nobody anything else', () => {
    const rules = resourcesOf(withGenerator(), 'AWS::EC2::SecurityGroupIngress');
    expect(
      rules.map(({ properties: { IpProtocol, FromPort, ToPort, CidrIp } }) => [IpProtocol, FromPort, ToPort, CidrIp]),
    ).toEqual([['tcp', 5100, 5100, undefined]]);
    expect(textOf(rules[0]?.properties['SourceSecurityGroupId'])).toContain('Generator');
    for (const { properties } of resourcesOf(withGenerator(), 'AWS::EC2::SecurityGroup')) {
      expect(properties['SecurityGroupIngress']).toBeUndefined();
    }
  });

  test('lets the load generator reach balancers of hosts elsewhere, and AWS', () => {
    const groups = resourcesOf(withGenerator(), 'AWS::EC2::SecurityGroup').filter(({ id }) => id.includes('Generator'));
    const egress = groups.flatMap(
      ({ properties }) => properties['SecurityGroupEgress'] as { CidrIp: string; FromPort: number }[],
    );
    expect(egress.map(({ CidrIp, FromPort }) => [CidrIp, FromPort])).toEqual([
      ['0.0.0.0/0', 80],
      ['0.0.0.0/0', 443],
    ]);
  });

  test('has no NAT gateway, and reaches DynamoDB and S3 without one', () => {
    expect(resourcesOf(template(), 'AWS::EC2::NatGateway')).toEqual([]);
    const services = resourcesOf(template(), 'AWS::EC2::VPCEndpoint').map(({ properties }) =>
      textOf(properties['ServiceName']),
    );
    expect(services.sort()).toEqual(['com.amazonaws.{AWS::Region}.dynamodb', 'com.amazonaws.{AWS::Region}.s3']);
  });

  test('may read the one table and the one archive, and write its own logs, metrics and reports', () => {
    const { properties } = onlyResourceOf(template(), 'AWS::IAM::Policy');
    const { Statement } = properties['PolicyDocument'] as {
      Statement: { Action: string | string[]; Resource: unknown; Condition?: unknown }[];
    };
    expect(Statement.map(({ Action }) => [Action].flat().join(' ')).sort()).toEqual([
      'cloudwatch:PutMetricData',
      'dynamodb:DeleteItem dynamodb:PutItem',
      'dynamodb:DeleteItem dynamodb:PutItem',
      'dynamodb:GetItem dynamodb:Query',
      'dynamodb:UpdateItem',
      'firehose:PutRecordBatch',
      'logs:CreateLogStream logs:DescribeLogStreams logs:PutLogEvents',
      's3:GetObject',
    ]);
    const [reads, notes, reports] = Statement.filter(({ Action }) => String(Action).startsWith('dynamodb:'));
    expect(textOf(notes?.Resource)).toBe('{Flags.Arn}');
    expect(JSON.stringify(notes?.Condition)).toContain('{"dynamodb:LeadingKeys":["HOSTS"]}');
    expect(textOf(reports?.Resource)).toBe('{Connections.Arn}');
    expect(JSON.stringify(reports?.Condition)).toContain('{"dynamodb:LeadingKeys":["HOST#*"]}');
    expect(JSON.stringify(reads?.Condition)).toContain(
      '{"dynamodb:LeadingKeys":["ENV#*","JOURNAL#*","SNAPSHOT#*","VERSION#*","ENVIRONMENTS","RELAYS","SECRET#*"]}',
    );
    const open = Statement.filter(({ Resource }) => Resource === '*');
    expect(open).toMatchObject([{ Condition: { StringEquals: { 'cloudwatch:namespace': 'Flagwire/Host' } } }]);
  });

  test('reads an attribute that a user lacks as the functions do', () => {
    const install = (settings = {}) =>
      userDataOf(onlyResourceOf(template(true, settings), 'AWS::EC2::Instance').properties);
    expect(install()).toContain(' MISSING_ATTRIBUTE=empty ');
    expect(install({ missingAttribute: 'no-match' })).toContain(' MISSING_ATTRIBUTE=no-match ');
  });

  test('looks for changes as often as it is set to', () => {
    const { properties } = onlyResourceOf(template({ pollIntervalMs: 200, fastPollSeconds: 5 }), 'AWS::EC2::Instance');
    expect(userDataOf(properties)).toContain(' POLL_INTERVAL_MS=200 FAST_POLL_MS=5000');
  });

  test('trusts the header with the address of a client only behind CloudFront, and opens no port for metrics', () => {
    const tls = {
      domainName: 'h.example.com',
      certificateArn: `arn:aws:acm:us-east-1:123456789012:certificate/${'1'.repeat(36)}`,
    };
    const settingsWith = (host: Settings['host']) => {
      const install = JSON.stringify(template(host));
      return [
        /TRUSTED_PROXIES=1/.test(install),
        /METRICS_PORT=5101/.test(install),
        /"(From|To)Port":5101/.test(install),
      ];
    };
    expect(settingsWith({ network: 'public', tls })).toEqual([true, true, false]);
    expect(settingsWith({ network: 'public' })).toEqual([false, true, false]);
  });

  test('checks the archive before it unpacks it, and tells whether it went well', () => {
    const { properties, template: resource } = onlyResourceOf(template(), 'AWS::EC2::Instance');
    const steps = userDataOf(properties).split('\n');
    const at = (start: string) => steps.findIndex((step) => step.startsWith(start));
    expect(at('set -euo pipefail')).toBeLessThan(at('aws s3 cp'));
    expect(at('aws s3 cp')).toBeLessThan(at('echo "0000'));
    expect(at('echo "0000')).toBeLessThan(at('tar -xzf'));
    expect(at('tar -xzf')).toBeLessThan(
      at(
        './install.sh --metrics-seconds 60 --log-group {InstallLogs} FLAGS_TABLE={Flags} CONNECTIONS_TABLE={Connections} AWS_REGION={AWS::Region} PORT=5100',
      ),
    );
    expect(userDataOf(properties)).toContain('cfn-signal');
    expect(resource).toMatchObject({ CreationPolicy: { ResourceSignal: { Timeout: 'PT10M' } } });
    // Without a way out, the first boot would fail on what it fetches.
    expect((resource as { readonly DependsOn?: readonly string[] }).DependsOn?.join()).toContain('DefaultRoute');
  });

  test('shows what the agent says of the process whatever its name, which is a dimension, and has the region in its name', () => {
    const { properties } = onlyResourceOf(template(), 'AWS::CloudWatch::Dashboard');
    expect(textOf(properties['DashboardName'])).toBe('Flagwire-dev-Host-{AWS::Region}');
    const body = textOf(properties['DashboardBody']).replaceAll('\\"', "'");
    for (const measured of ['cpu_usage', 'memory_rss', 'num_fds']) {
      const found = new RegExp(
        `SEARCH\\('{Flagwire/Host,InstanceId,exe,process_name} MetricName='procstat_${measured}' ` +
          `InstanceId='{HostMachineInstance\\w+}' exe='/opt/flagwire/bun'', 'Maximum', 60\\)`,
      );
      expect(body).toMatch(found);
    }
    expect(body).not.toContain('["Flagwire/Host","procstat');
  });

  test('measures nothing that it does not show, as each metric is paid for', () => {
    const { properties } = onlyResourceOf(template(), 'AWS::CloudWatch::Dashboard');
    const body = textOf(properties['DashboardBody']);
    const path = join(import.meta.dirname, '../constructs/host/files/agent.json');
    const { metrics_collected } = JSON.parse(readFileSync(path, 'utf8')).metrics;
    const names = Object.entries<{ measurement: string[] } | { measurement: string[] }[]>(metrics_collected).flatMap(
      ([part, measured]) =>
        [measured].flat().flatMap(({ measurement }) => measurement.map((name) => `${part}_${name}`)),
    );
    for (const name of names) expect([name, body.includes(`"${name}`)]).toEqual([name, true]);
  });

  test('is in the zone that is asked for', () => {
    const zoneOf = (host: Settings['host'], settings: Settings = {}) =>
      onlyResourceOf(template(host, settings), 'AWS::EC2::Subnet').properties['AvailabilityZone'];
    expect(zoneOf({})).toEqual({ 'Fn::Select': [0, { 'Fn::GetAZs': '' }] });
    expect(zoneOf({ availabilityZone: 'eu-west-1c' }, { region: 'eu-west-1' })).toBe('eu-west-1c');
    expect(() => readConfig({ host: { availabilityZone: 'eu-west-1' } })).toThrow('looks like eu-central-1a');
    const elsewhere = { region: 'eu-west-1', host: { availabilityZone: 'us-east-1a' } };
    expect(() => readConfig(elsewhere)).toThrow(
      'host.availabilityZone=us-east-1a cannot be used: the region is eu-west-1',
    );
  });

  test('keeps the image that a machine was made with, however often it is deployed, until another is asked for', () => {
    const { Parameters = {} } = template() as { Parameters?: Record<string, { Type: string }> };
    expect(Object.values(Parameters).filter(({ Type }) => Type.includes('EC2::Image'))).toEqual([]);
    const imageOf = (context: Settings['host']) => {
      const launch = onlyResourceOf(template(context), 'AWS::EC2::LaunchTemplate');
      const { properties } = onlyResourceOf(template(context), 'AWS::EC2::Instance');
      expect(properties).not.toHaveProperty('ImageId');
      expect(properties['LaunchTemplate']).toEqual({
        LaunchTemplateId: { Ref: launch.id },
        Version: { 'Fn::GetAtt': [launch.id, 'LatestVersionNumber'] },
      });
      return (launch.properties['LaunchTemplateData'] as { ImageId: string }).ImageId;
    };
    const newest = 'resolve:ssm:/aws/service/ami-amazon-linux-latest/al2023-ami-kernel-6.1';
    expect(imageOf({})).toBe(`${newest}-x86_64`);
    expect(imageOf({ instanceType: 'c7g.medium' })).toBe(`${newest}-arm64`);
    expect(imageOf({ machineImage: 'ami-0123456789abcdef0' })).toBe('ami-0123456789abcdef0');
  });

  test('tells where it is, and where to look', () => {
    const { Outputs = {} } = withGenerator();
    expect(textOf(Outputs['StreamingUri']?.Value)).toMatch(/^ws:\/\/\{.*PrivateIp\}:5100$/);
    expect(
      Object.keys(Outputs)
        .filter((name) => !/^(Exports|Publish)/.test(name))
        .sort(),
    ).toEqual([
      'DashboardUrl',
      'EventsUri',
      'HostId',
      'HostSession',
      'LoadGeneratorId',
      'LoadGeneratorSession',
      'PollingUri',
      'StreamingUri',
    ]);
  });
});
