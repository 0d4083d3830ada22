import { describe, expect, jest, test } from '@jest/globals';
import { readConfig } from '../../config/config.ts';
import { type Properties, resourcesOf, textOf } from '../../stacks/testing/templates.ts';
import { fargateTemplate, propertiesOf } from './testing/fargateTemplate.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const containersOf = (context = {}) =>
  propertiesOf('AWS::ECS::TaskDefinition', context)['ContainerDefinitions'] as [Properties, Properties];
const settingsOf = (properties: Properties) =>
  Object.fromEntries(
    (properties['Environment'] as { Name: string; Value: unknown }[]).map((each) => [each.Name, textOf(each.Value)]),
  );

/** No history, and no connections: a host keeps its own, and only reports them. */
const readsOfHosts = {
  'ForAllValues:StringLike': {
    'dynamodb:LeadingKeys': ['ENV#*', 'JOURNAL#*', 'SNAPSHOT#*', 'VERSION#*', 'ENVIRONMENTS', 'RELAYS', 'SECRET#*'],
  },
};

describe('a task', () => {
  test('fetches the program and checks it before the host runs, which is without rights and can change nothing', () => {
    const [fetch, host] = containersOf();
    expect(fetch).toMatchObject({ Name: 'fetch', Essential: false, EntryPoint: ['sh', '-c'] });
    const lines = textOf((fetch['Command'] as [unknown])[0]).split('\n');
    const at = (start: string) => lines.findIndex((line) => line.startsWith(start));
    expect(at('aws s3 cp')).toBeLessThan(at('if ! sha256sum --check'));
    expect(at('if ! sha256sum --check')).toBeLessThan(at('chmod 0555 bun host.js'));
    expect(host).toMatchObject({
      Name: 'host',
      Essential: true,
      DependsOn: [{ ContainerName: 'fetch', Condition: 'SUCCESS' }],
      EntryPoint: ['/flagwire/bun', '/flagwire/host.js'],
      User: '65534:65534',
      ReadonlyRootFilesystem: true,
      LinuxParameters: { Capabilities: { Drop: ['ALL'] }, InitProcessEnabled: true },
      MountPoints: [{ ContainerPath: '/flagwire', ReadOnly: true, SourceVolume: 'program' }],
    });
  });

  test('is in the image that a setting names, by tag or digest', () => {
    const digest = `public.ecr.aws/aws-cli/aws-cli@sha256:${'0a'.repeat(32)}`;
    for (const image of ['quay.io/some/aws-cli:2', digest]) {
      expect(containersOf({ image }).map(({ Image }) => Image)).toEqual([image, image]);
    }
    expect(() => readConfig({ fargate: { image: 'aws-cli' } })).toThrow('its tag or its digest');
  });

  test('may have as many files open as the unit for machines', () => {
    expect(containersOf()[1]['Ulimits']).toEqual([{ Name: 'nofile', SoftLimit: 200_000, HardLimit: 200_000 }]);
  });

  test('has the time that its drain takes, within what Fargate allows', () => {
    for (const seconds of [60, 110]) {
      const [, host] = containersOf({ drainSeconds: seconds });
      expect(host['StopTimeout']).toBe(seconds + 10);
      expect(settingsOf(host)['DRAIN_MS']).toBe(String(seconds * 1_000));
    }
    expect(() => readConfig({ fargate: { drainSeconds: 111 } })).toThrow('fargate.drainSeconds=111');
  });

  test('closes what is silent before the balancer forgets it', () => {
    const { IDLE_TIMEOUT_MS, PORT, METRICS_PORT, ...settings } = settingsOf(containersOf()[1]);
    expect(Number(IDLE_TIMEOUT_MS)).toBeLessThan(350_000);
    expect([PORT, METRICS_PORT]).toEqual(['5100', '5101']);
    expect(containersOf()[1]['PortMappings']).toEqual([{ ContainerPort: 5_100, Protocol: 'tcp' }]);
    expect(settings).toEqual({
      FLAGS_TABLE: '{Flags}',
      CONNECTIONS_TABLE: '{Connections}',
      AWS_REGION: '{AWS::Region}',
      INSIGHT_STREAM: '{InsightStream}',
      USAGE_TABLE: '{Usage}',
      MISSING_ATTRIBUTE: 'empty',
      DRAIN_MS: '60000',
      POLL_INTERVAL_MS: '50',
      NODE_ENV: 'production',
    });
  });

  test('looks for changes as often as it is set to', () => {
    const [, host] = containersOf({ pollIntervalMs: 200 });
    expect(settingsOf(host)['POLL_INTERVAL_MS']).toBe('200');
    const [, calm] = containersOf({ fastPollSeconds: 0 });
    expect(settingsOf(calm)['FAST_POLL_MS']).toBe('0');
  });

  test('may read the one table and its program, and hand events to the one stream', () => {
    const statements = resourcesOf(fargateTemplate(), 'AWS::IAM::Policy').flatMap(
      ({ properties }) =>
        (properties['PolicyDocument'] as { Statement: { Action: string | string[]; Resource: unknown }[] }).Statement,
    );
    const sentences = statements.map(
      ({ Action, Resource }) => `${[Action].flat().join(' ')} on ${[Resource].flat().map(textOf).join(' ')}`,
    );
    expect(sentences).toEqual([
      'dynamodb:GetItem dynamodb:Query on {Flags.Arn}',
      'dynamodb:DeleteItem dynamodb:PutItem on {Flags.Arn}',
      'dynamodb:DeleteItem dynamodb:PutItem on {Connections.Arn}',
      'firehose:PutRecordBatch on arn:{AWS::Partition}:firehose:{AWS::Region}:{AWS::AccountId}:deliverystream/{InsightStream}',
      'dynamodb:UpdateItem on {Usage.Arn}',
      expect.stringMatching(/^s3:GetObject on arn:{AWS::Partition}:s3:::cdk-hnb659fds-assets-[^*]+\.json$/),
      'logs:CreateLogStream logs:PutLogEvents on {Logs.Arn}',
    ]);
    expect(statements[0]).toMatchObject({ Condition: readsOfHosts });
    for (const { properties } of resourcesOf(fargateTemplate(), 'AWS::IAM::Role')) {
      expect(properties).not.toHaveProperty('ManagedPolicyArns');
    }
  });

  test('writes a log that it does not wait for', () => {
    for (const { LogConfiguration } of containersOf()) {
      expect(LogConfiguration).toMatchObject({ LogDriver: 'awslogs', Options: { mode: 'non-blocking' } });
    }
  });
});
