import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import type { Template } from '../inProcess.ts';
import { expectResource, resourcesOf, templateOf, templateWith, textOf } from './testing/templates.ts';

const keySchema = [
  { AttributeName: 'pk', KeyType: 'HASH' },
  { AttributeName: 'sk', KeyType: 'RANGE' },
];

describe('the data stack', () => {
  test('keeps flags in an on-demand table with a stream of both images and point-in-time recovery', () => {
    expectResource('Data', 'AWS::DynamoDB::GlobalTable', {
      KeySchema: keySchema,
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
      Replicas: [
        { Region: { Ref: 'AWS::Region' }, PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } },
      ],
    });
  });

  test('keeps connections in an on-demand table whose items expire', () => {
    expectResource('Data', 'AWS::DynamoDB::GlobalTable', {
      KeySchema: keySchema,
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
    });
  });

  test('keeps counts in an on-demand table with a maximum of writes, whose items expire', () => {
    expectResource('Data', 'AWS::DynamoDB::GlobalTable', {
      KeySchema: keySchema,
      BillingMode: 'PAY_PER_REQUEST',
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      WriteOnDemandThroughputSettings: { MaxWriteRequestUnits: 100 },
    });
  });

  test('without counts, keeps the table and its exports, and leads no function to it', () => {
    const without = templateWith('Data', { usageWritesPerSecond: 'off' });
    expect(exportsOf(without)).toEqual(exportsOf(templateOf('Data')));
    for (const template of [without, templateWith('Serverless', { usageWritesPerSecond: 'off' })]) {
      expect(JSON.stringify(template)).not.toContain('USAGE_TABLE');
      expect(JSON.stringify(template)).not.toContain('USAGE#');
    }
  });

  test('holds three tables and the tick of plans, and nothing else without change events', () => {
    const { Resources } = templateWith('Data', { eventBus: 'off' });
    const others = Object.entries(Resources).filter(([id]) => !/^(Plans|Guards)/.test(id));
    expect(others.map(([, { Type }]) => Type)).toEqual(Array(3).fill('AWS::DynamoDB::GlobalTable'));
  });

  test.each([
    ['dev', 'Delete', false],
    ['prod', 'Retain', true],
  ] as const)('in stage %s deletes with policy %s and protects against deletion: %s', (stage, policy, isProtected) => {
    for (const { properties, template } of resourcesOf(templateOf('Data', stage), 'AWS::DynamoDB::GlobalTable')) {
      expect(template.DeletionPolicy).toBe(policy);
      expect(replicaOf(properties)['DeletionProtectionEnabled']).toBe(isProtected);
    }
  });

  test('puts out the table names, and the line that starts the CLI', () => {
    const { Outputs = {} } = templateOf('Data');
    expect(textOf(Outputs['FlagsTableName']?.Value)).toBe('{Flags}');
    expect(textOf(Outputs['ConnectionsTableName']?.Value)).toBe('{Connections}');
    expect(textOf(Outputs['FlagsCli']?.Value)).toBe('FLAGS_TABLE={Flags} npm run flags -- env list');
  });

  test('makes tables that are warm and of a class as configured, and leaves both to DynamoDB otherwise', () => {
    const settings = {
      flagsTable: { tableClass: 'infrequent-access', warmReads: 20_000 },
      connectionsTable: { warmReads: 15_000, warmWrites: 8_000 },
    } as const;
    const chosen = (template: Template) =>
      resourcesOf(template, 'AWS::DynamoDB::GlobalTable').map(({ properties }) => [
        replicaOf(properties)['TableClass'],
        properties['WarmThroughput'],
      ]);
    expect(chosen(templateWith('Data', settings))).toEqual([
      ['STANDARD_INFREQUENT_ACCESS', { ReadUnitsPerSecond: 20_000 }],
      [undefined, { ReadUnitsPerSecond: 15_000, WriteUnitsPerSecond: 8_000 }],
      [undefined, undefined],
    ]);
    expect(chosen(templateOf('Data'))).toEqual([
      [undefined, undefined],
      [undefined, undefined],
      [undefined, undefined],
    ]);
  });

  describe('with a table that is there', () => {
    const existingStreamArn =
      'arn:aws:dynamodb:eu-west-1:123456789012:table/flags-restored/stream/2026-11-24T10:00:00.000';
    const settings = {
      stage: 'prod',
      operatorPolicies: true,
      eventBus: 'off',
      flagsTable: { existingStreamArn },
    } as const;
    const all = ['Data', 'Serverless'].map((stack) => templateWith(stack as 'Data', settings));

    test('keeps its own with all that other stacks import, and says the name of the other', () => {
      const own = templateWith('Data', { stage: 'prod', eventBus: 'off' });
      const adopting = templateWith('Data', { ...settings, operatorPolicies: false });
      // The metadata of the connections table records the settings, which differ.
      // The tick of plans works on the other table.
      const kept = ({ Resources }: Template) =>
        Object.entries(Resources).filter(([id]) => id !== 'Connections827CEF2F' && !/^(Plans|Guards)/.test(id));
      expect(kept(adopting)).toEqual(kept(own));
      const { Properties } = own.Resources['Connections827CEF2F'] ?? {};
      expect(adopting.Resources['Connections827CEF2F']?.Properties).toEqual(Properties);
      expect(exportsOf(adopting)).toEqual(exportsOf(own));
      expect(adopting.Outputs?.['FlagsTableName']?.Value).toBe('flags-restored');
      expect(adopting.Outputs?.['FlagsCli']?.Value).toBe('FLAGS_TABLE=flags-restored npm run flags -- env list');
    });

    test('leads functions, their permissions, the stream and operators to it, and nobody to its own', () => {
      for (const [index, template] of all.entries()) {
        const text = JSON.stringify(index === 0 ? resourcesOf(template, 'AWS::IAM::ManagedPolicy') : template);
        expect(text).toContain('table/flags-restored"');
        expect(text).not.toContain('ExportsOutputRefFlags');
        expect(text).not.toContain('"Fn::GetAtt":["Flags');
      }
      const [, serverless] = all;
      const streams = resourcesOf(serverless as Template, 'AWS::Lambda::EventSourceMapping').map(
        ({ properties }) => properties['EventSourceArn'],
      );
      expect(streams).toContain(existingStreamArn);
    });

    test('has to be in the region and the account of the deployment', () => {
      expect(() => readConfig({ ...settings, region: 'us-east-1' })).toThrow(/cannot be used: the region is us-east-1/);
      expect(() => readConfig({ ...settings, account: '210987654321' })).toThrow(/the account is 210987654321/);
      expect(() => readConfig({ flagsTable: { existingStreamArn: 'flags-restored' } })).toThrow(/looks like arn:/);
    });
  });

  test('tags its tables with what is configured', () => {
    for (const { properties } of resourcesOf(
      templateWith('Data', { tags: { team: 'web' } }),
      'AWS::DynamoDB::GlobalTable',
    )) {
      expect(replicaOf(properties)['Tags']).toContainEqual({ Key: 'team', Value: 'web' });
    }
  });

  test('tags its tables with app and stage', () => {
    const Tags = [
      { Key: 'app', Value: 'flagwire' },
      { Key: 'stage', Value: 'prod' },
    ];
    for (const { properties } of resourcesOf(templateOf('Data', 'prod'), 'AWS::DynamoDB::GlobalTable')) {
      expect(replicaOf(properties)).toMatchObject({ Tags });
    }
  });
});

function exportsOf({ Outputs = {} }: Template): string[] {
  return Object.values(Outputs).flatMap(({ Export }) => JSON.stringify(Export?.Name) ?? []);
}

/** The settings that a table of this type has for its region; a table has one. */
function replicaOf({ Replicas }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const replicas = Replicas as readonly Readonly<Record<string, unknown>>[];
  expect(replicas).toHaveLength(1);
  return replicas[0] ?? {};
}
