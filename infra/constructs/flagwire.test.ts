import { describe, expect, test } from '@jest/globals';
import { NestedStack, RemovalPolicy } from 'aws-cdk-lib/core';
import { onlyResourceOf, resourcesOf } from '../stacks/testing/templates.ts';
import { newRole, newStack, synthesizeStack } from '../testing/testStack.ts';
import { Flagwire, type FlagwireProps } from './flagwire.ts';
import { FlagwireTables } from './flagwireTables.ts';

const GUID = '01234567-89ab-cdef-0123-456789abcdef';
const TABLE = 'AWS::DynamoDB::GlobalTable';

function create(props: FlagwireProps = {}, name?: string) {
  const stack = newStack(name);
  const flags = new Flagwire(stack, 'Flags', props);
  return { stack, flags, template: () => synthesizeStack(stack) };
}

describe('the construct in an app of others', () => {
  test.each([[undefined], ['ops@example.com']])(
    'mails all alarms by one topic, with the address of the tables %s',
    (ofTables) => {
      const alarmEmail = 'ops@example.com';
      const stack = newStack();
      const tables = new FlagwireTables(stack, 'Tables', ofTables === undefined ? {} : { alarmEmail: ofTables });
      new Flagwire(stack, 'Flags', { tables, alarmEmail });
      const { properties } = onlyResourceOf(synthesizeStack(stack), 'AWS::SNS::Topic');
      expect(properties['TopicName'] !== undefined).toBe(ofTables !== undefined);
      expect(onlyResourceOf(synthesizeStack(stack), 'AWS::SNS::Subscription').properties).toMatchObject({
        Endpoint: alarmEmail,
      });
    },
  );

  test('keeps its data, unless removalPolicy is DESTROY', () => {
    const policies = (props: FlagwireProps) =>
      resourcesOf(create(props).template(), TABLE).map(({ template }) => template.DeletionPolicy);
    expect(policies({})).toEqual(['Retain', 'Retain', 'Retain']);
    expect(policies({ removalPolicy: RemovalPolicy.DESTROY })).toEqual(['Delete', 'Delete', 'Delete']);
  });

  test('names alarms after the stack and the id, and notifies nobody by default', () => {
    for (const { properties } of resourcesOf(create().template(), 'AWS::CloudWatch::Alarm')) {
      expect(properties['AlarmName']).toMatch(/^App-Flags/);
      expect(properties['AlarmActions']).toBeUndefined();
    }
  });

  test('fits a stack twice, and with tables of another construct', () => {
    const { stack, template } = create();
    const tables = new FlagwireTables(stack, 'Tables');
    const second = new Flagwire(stack, 'Second', { tables });
    expect(second.flagsTable).toBe(tables.flags);
    expect(resourcesOf(template(), TABLE)).toHaveLength(6);
  });
});

describe('declared environments', () => {
  const environments = ['production', 'staging'];

  test('have ids that follow from the names of the stack and the environment', () => {
    const [one, same, other] = ['App', 'App', 'Other'].map((name) => create({ environments }, name).flags.environments);
    expect(one).toEqual(same);
    expect(Object.values({ ...one, production: other?.['production'] })).not.toContain(one?.['production']);
    expect(one?.['production']).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/);
  });

  test('are created by a custom resource, after its function has its permissions', () => {
    const { flags, template } = create({ environments });
    const names = Object.fromEntries(environments.map((name) => [flags.environmentId(name), name]));
    const { properties, template: resource } = onlyResourceOf(template(), 'Custom::FlagwireEnvironments');
    expect(properties['Environments']).toEqual(names);
    expect(resource.DependsOn).toContainEqual(expect.stringContaining('DeclareRoleDefaultPolicy'));
  });

  test('need a stack whose name is known', () => {
    const nested = new NestedStack(newStack(), 'Nested');
    expect(() => new Flagwire(nested, 'Flags', { environments })).toThrow(
      'environments need a stack whose name is known',
    );
  });
});

describe('grants', () => {
  test('name the keys of one environment', () => {
    const { stack, flags, template } = create({ environments: ['production'] });
    flags.grantRead(newRole(stack), 'production');
    const id = flags.environmentId('production');
    const policy = resourcesOf(template(), 'AWS::IAM::Policy').find((each) => each.id.startsWith('Role'));
    expect(policy?.properties['PolicyDocument']).toMatchObject({
      Statement: [
        {
          Action: ['dynamodb:GetItem', 'dynamodb:Query'],
          Condition: {
            'ForAllValues:StringLike': {
              'dynamodb:LeadingKeys': [`ENV#${id}`, `VERSION#${id}#*`, `JOURNAL#${id}`, `SNAPSHOT#${id}#*`],
            },
          },
        },
      ],
    });
  });

  test('take the id of an environment of another origin, and refuse an unknown name', () => {
    const { stack, flags } = create({ environments: ['production'] });
    expect(() => flags.grantEdit(newRole(stack), GUID)).not.toThrow();
    expect(() => flags.grantRead(newRole(stack, 'Other'), 'prod')).toThrow(
      'App/Flags has no environment prod (it has: production)',
    );
  });
});

describe('an existing service', () => {
  const attributes = {
    flagsTableArn: 'arn:aws:dynamodb:eu-west-1:123456789012:table/flags',
    streamingUrl: 'wss://flags.example.com',
    httpUrl: 'https://flags.example.com',
    name: 'Flagwire-prod',
  };

  test('has URLs, metrics and grants', () => {
    const stack = newStack();
    const flags = Flagwire.fromAttributes(stack, 'Flags', { ...attributes, environments: { production: GUID } });
    const role = newRole(stack);
    flags.grantRead(role, 'production');
    expect(flags).toMatchObject({ streamingUrl: attributes.streamingUrl, eventsUrl: attributes.httpUrl });
    expect(flags.metricConnections().dimensions).toEqual({ Stage: 'Flagwire-prod' });
    const template = synthesizeStack(stack);
    expect(resourcesOf(template, TABLE)).toEqual([]);
    expect(JSON.stringify(onlyResourceOf(template, 'AWS::IAM::Policy').properties)).toContain(`ENV#${GUID}`);
  });

  test('needs its delivery stream for a host', () => {
    const flags = Flagwire.fromAttributes(newStack(), 'Flags', attributes);
    expect(() => flags.insightStream).toThrow('App/Flags needs the attribute insightStream');
  });
});
