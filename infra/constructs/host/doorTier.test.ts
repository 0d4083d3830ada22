import { describe, expect, jest, test } from '@jest/globals';
import type { Settings } from '../../config/settingsSchema.ts';
import { functionWithEntry, resourcesOf, templateWith, textOf } from '../../stacks/testing/templates.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const ENTRY = 'functions/lambda/tier.ts';
const frontDoor = {
  domainName: 'flags.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/01234567-89ab-cdef-0123-456789abcdef',
};
const settings = { stage: 'prod', host: true, frontDoor } as const;
const template = templateWith('Host', settings);
const instance = resourcesOf(template, 'AWS::EC2::Instance')[0]?.id ?? '';

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
  readonly Condition?: unknown;
}
/** Grants of the function, as action, resource and keys of items. */
function grantsOf(of: Settings): unknown[] {
  return resourcesOf(templateWith('Host', of), 'AWS::IAM::Policy')
    .filter(({ id }) => id.startsWith('TierRole'))
    .flatMap(({ properties }) => (properties['PolicyDocument'] as { Statement: Statement[] }).Statement)
    .filter(({ Action }) => !JSON.stringify(Action).includes('logs:'))
    .map(({ Action, Resource, Condition }) => [
      [Action].flat().join(' '),
      textOf(Resource).replace(/^\{import [\w<>-]+:ExportsOutputFnGetAtt(\w+?)(Arn)?\}$/, '$1'),
      ...(JSON.stringify(Condition ?? '').match(/\["[^\]]*\]/) ?? []),
    ]);
}

describe('the tier of a front door', () => {
  test('is decided every minute, with the machine and the store of the hint', () => {
    const { id, properties } = functionWithEntry(template, ENTRY);
    const [rule, ...others] = resourcesOf(template, 'AWS::Events::Rule');
    expect(others).toEqual([]);
    expect(rule?.properties).toMatchObject({
      ScheduleExpression: 'rate(1 minute)',
      Targets: [{ Arn: { 'Fn::GetAtt': [id, 'Arn'] } }],
    });
    expect((properties['Environment'] as { Variables: object }).Variables).toMatchObject({
      INSTANCE_ID: { Ref: instance },
      HINTS_ARN: { 'Fn::GetAtt': [expect.stringContaining('Hints'), 'Arn'] },
    });
    const { Variables } = properties['Environment'] as { Variables: Record<string, unknown> };
    expect(textOf(Variables['EC2_ENDPOINT'])).toBe('https://ec2.{AWS::Region}.{AWS::URLSuffix}');
  });

  test('goes with the front door', () => {
    const entries = (of: Settings) => JSON.stringify(templateWith('Host', of)).includes(ENTRY);
    expect([entries(settings), entries({ stage: 'prod', host: true })]).toEqual([true, false]);
  });

  test('may read the state of the machine, and write its own items and the hint', () => {
    expect(grantsOf(settings)).toEqual([
      ['dynamodb:GetItem dynamodb:PutItem', expect.stringContaining('Flags'), '["TIER"]'],
      ['dynamodb:GetItem', expect.stringContaining('Flags'), '["HEARTBEAT"]'],
      ['ec2:DescribeInstanceStatus', '*'],
      ['cloudfront-keyvaluestore:DescribeKeyValueStore cloudfront-keyvaluestore:PutKey', '{EdgeHints.Arn}'],
    ]);
  });

  test('has alarms on errors, and on an unhealthy machine', () => {
    const alarms = (of: Settings) =>
      resourcesOf(templateWith('Host', of), 'AWS::CloudWatch::Alarm').map(({ properties }) => properties);
    expect(alarms(settings)).toMatchObject([
      { AlarmName: 'Flagwire-prod-tier-errors', MetricName: 'Errors', Namespace: 'AWS/Lambda' },
      {
        AlarmName: 'Flagwire-prod-tier-unhealthy',
        MetricName: 'tier.unhealthy',
        Namespace: 'Flagwire',
        Dimensions: [{ Name: 'Stage', Value: 'Flagwire-prod' }],
        EvaluationPeriods: 3,
        Period: 300,
      },
    ]);
    expect(alarms({ ...settings, alarms: false })).toEqual([]);
  });

  test('has heartbeats of its host, which may write no other item of the tier', () => {
    const instances = (of: Settings) => textOf(JSON.stringify(templateWith('Host', of)));
    expect(
      [settings, { stage: 'prod', host: true } as const].map((of) => instances(of).includes(' HEARTBEAT=true')),
    ).toEqual([true, false]);
    const writers = (of: Settings) =>
      resourcesOf(templateWith('Host', of), 'AWS::IAM::Policy')
        .filter(({ id, properties }) => !id.startsWith('Tier') && /"(HEARTBEAT|TIER)"/.test(JSON.stringify(properties)))
        .map(({ properties }) => JSON.stringify(properties).match(/"(HEARTBEAT|TIER)"/g));
    expect([writers(settings), writers({ stage: 'prod', host: true })]).toEqual([[['"HEARTBEAT"']], []]);
  });

  test('leaves the machine two minutes to close its connections, which systemd waits for', () => {
    const userData = resourcesOf(template, 'AWS::EC2::Instance')[0]?.properties['UserData'];
    expect(textOf((userData as { 'Fn::Base64': unknown })['Fn::Base64'])).toContain(' DRAIN_MS=120000');
  });
});
