import { beforeEach, describe, expect, test } from '@jest/globals';
import { Distribution, experimental, type IOrigin, LambdaEdgeEventType } from 'aws-cdk-lib/aws-cloudfront';
import { HttpOrigin } from 'aws-cdk-lib/aws-cloudfront-origins';
import { ContainerImage, FargateTaskDefinition } from 'aws-cdk-lib/aws-ecs';
import { Code, type IVersion, Function as LambdaFunction, Runtime } from 'aws-cdk-lib/aws-lambda';
import { type App, Stack } from 'aws-cdk-lib/core';
import { evaluate } from '../../dev/emulator/iam/evaluate.ts';
import { readRoleAt } from '../../dev/emulator/iam/roles.ts';
import { readModel } from '../../dev/emulator/template/resolve.ts';
import { keys, usageKeys } from '../../shared/store/table/keys.ts';
import { onlyResourceOf, resourcesOf } from '../stacks/testing/templates.ts';
import { newStack, synthesizeStack } from '../testing/testStack.ts';
import { Flagwire, type FlagwireProps } from './flagwire.ts';

const GUID = '01234567-89ab-cdef-0123-456789abcdef';
const environments = ['production', 'staging'];
const flagsTableArn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/flags';
const usageTableArn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/usage';

let stack: Stack;
beforeEach(() => {
  stack = newStack();
});

const create = (props: FlagwireProps = {}) => new Flagwire(stack, 'Flags', { environments, ...props });
const newFunction = (id = 'Cart', scope = stack) =>
  new LambdaFunction(scope, id, {
    code: Code.fromInline('//'),
    handler: 'index.handler',
    runtime: Runtime.NODEJS_22_X,
  });

/** The variables of a function. */
function variablesOf(id = 'Cart', of = stack) {
  const found = resourcesOf(synthesizeStack(of), 'AWS::Lambda::Function').find((each) => each.id.startsWith(id));
  return (found?.properties['Environment'] as { Variables: object } | undefined)?.Variables;
}

/** Whether the role of a function may do something with an item, as IAM decides. */
function permissions(ids: { readonly role: string; readonly table?: string }) {
  const template = synthesizeStack(stack);
  const model = readModel({ App: template }, { gatewayUrl: '', serviceUrl: '', streamArn: () => 'stream' });
  const role = resourcesOf(template, 'AWS::IAM::Role').find(({ id }) => id.startsWith(ids.role));
  const { statements } = readRoleAt(model, `App/${role?.id}`);
  const tables = model.resources('AWS::DynamoDB::GlobalTable');
  const table = tables.find(({ logicalId }) => logicalId.startsWith(ids.table ?? 'FlagsTablesFlags'));
  return (action: string, { pk }: { readonly pk: { readonly S: string } }) =>
    evaluate(statements, {
      action: `dynamodb:${action}`,
      resource: table?.value('Arn') ?? '',
      context: { 'dynamodb:LeadingKeys': [pk.S] },
    }).allowed;
}

/** The reads of a provider. */
const readsOf = (id: string) =>
  [
    ['GetItem', keys.version(id, 3)],
    ['GetItem', keys.snapshotPointer(id, 2)],
    ['Query', keys.snapshotChunk(id, 2, 0, 0)],
    ['Query', keys.journal(id, 1)],
    ['Query', keys.flag(id, 'f')],
  ] as const;

describe('addTo', () => {
  test('sets the table and the environment of a function', () => {
    const flags = create();
    flags.addTo(newFunction(), 'production');
    expect(variablesOf()).toEqual({
      FLAGS_TABLE: { Ref: expect.stringMatching(/^FlagsTablesFlags/) },
      FLAGS_ENVIRONMENT: flags.environmentId('production'),
    });
  });

  test('allows the role of the function the reads of the provider in its environment, and nothing else', () => {
    const flags = create();
    flags.addTo(newFunction(), 'production');
    const may = permissions({ role: 'CartServiceRole' });
    const [own, other] = ['production', 'staging'].map((name) => flags.environmentId(name)) as [string, string];
    for (const [action, key] of readsOf(own))
      expect([action, key.pk.S, may(action, key)]).toEqual([action, key.pk.S, true]);
    for (const [action, key] of readsOf(other)) expect(may(action, key)).toBe(false);
    for (const action of ['PutItem', 'UpdateItem', 'DeleteItem', 'Scan'])
      expect(may(action, keys.flag(own, 'f'))).toBe(false);
    for (const key of [keys.secret('s'), keys.environmentIndex(own), keys.history(own, 1)])
      expect(may('GetItem', key)).toBe(false);
  });

  test('with usage, allows the role to count evaluations of its environment', () => {
    const flags = create();
    flags.addTo(newFunction(), 'production', { usage: true });
    expect(variablesOf()).toMatchObject({ FLAGS_USAGE_TABLE: { Ref: expect.stringMatching(/^FlagsTablesUsage/) } });
    const may = permissions({ role: 'CartServiceRole', table: 'FlagsTablesUsage' });
    const [own, other] = ['production', 'staging'].map((name) => flags.environmentId(name)) as [string, string];
    const hour = '2026-11-26T03';
    for (const key of [usageKeys.ofFlag(own, 'f', hour), usageKeys.ofUnknown(own, hour), usageKeys.start(own)])
      expect(may('UpdateItem', key)).toBe(true);
    for (const key of [usageKeys.ofFlag(other, 'f', hour), usageKeys.start(other)])
      expect(may('UpdateItem', key)).toBe(false);
    for (const action of ['PutItem', 'GetItem', 'Query']) expect(may(action, usageKeys.start(own))).toBe(false);
  });

  test('sets the ARN of the table in a container, and allows the role of its task', () => {
    const flags = create({ missingAttribute: 'no-match' });
    const task = new FargateTaskDefinition(stack, 'Task');
    flags.addTo(task.addContainer('Web', { image: ContainerImage.fromRegistry('web') }), 'production');
    const { properties } = onlyResourceOf(synthesizeStack(stack), 'AWS::ECS::TaskDefinition');
    const [{ Environment }] = properties['ContainerDefinitions'] as [
      { Environment: { Name: string; Value: unknown }[] },
    ];
    expect(Environment).toEqual([
      { Name: 'FLAGS_TABLE', Value: { 'Fn::GetAtt': [expect.stringMatching(/^FlagsTablesFlags/), 'Arn'] } },
      { Name: 'FLAGS_ENVIRONMENT', Value: flags.environmentId('production') },
      { Name: 'FLAGS_MISSING_ATTRIBUTE', Value: 'no-match' },
    ]);
    expect(permissions({ role: 'TaskTaskRole' })(...readsOf(flags.environmentId('production'))[0])).toBe(true);
  });

  test('records functions without usage, also of other stacks and for environments by id', () => {
    const flags = create({ environments: ['production'] });
    const other = new Stack(stack.node.root as App, 'Shop', { env: { region: 'eu-west-1' } });
    flags.addTo(newFunction(), 'production');
    flags.addTo(newFunction('Mail', other), 'production');
    flags.addTo(newFunction('Counted'), 'production', { usage: true });
    flags.addTo(newFunction('ById'), GUID);
    const { properties } = onlyResourceOf(synthesizeStack(stack), 'Custom::FlagwireEnvironments');
    expect(properties['Uncounted']).toEqual({
      [flags.environmentId('production')]: ['App/Cart', 'Shop/Mail'],
      [GUID]: ['App/ById'],
    });
  });

  test('records functions of a service that declares no environments', () => {
    create({ environments: [] }).addTo(newFunction(), GUID);
    const { properties } = onlyResourceOf(synthesizeStack(stack), 'Custom::FlagwireEnvironments');
    expect(properties).toMatchObject({ Environments: {}, Uncounted: { [GUID]: ['App/Cart'] } });
  });

  test('refuses a second environment, an unknown one, and usage where nothing is counted', () => {
    const flags = create({ usageWritesPerSecond: 'off' });
    const cart = newFunction();
    expect(() => flags.addTo(cart, 'prod')).toThrow('App/Flags has no environment prod (it has: production, staging)');
    expect(() => flags.addTo(cart, 'production', { usage: true })).toThrow('App/Flags has no table for usage');
    flags.addTo(cart, 'production');
    expect(() => flags.addTo(cart, 'staging')).toThrow(
      'App/Cart already evaluates flags of environment production: it can have one',
    );
  });

  test('refuses functions of Lambda@Edge', () => {
    const flags = create();
    const options = { code: Code.fromInline('//'), handler: 'index.handler', runtime: Runtime.NODEJS_22_X };
    const usEast = new Stack(stack.node.root as App, 'UsEast', { env: { region: 'us-east-1' } });
    const edge = new experimental.EdgeFunction(usEast, 'Edge', options) as unknown as LambdaFunction;
    expect(() => flags.addTo(edge, 'production')).toThrow(
      'UsEast/Edge cannot have variables, as functions of Lambda@Edge',
    );
    const plain = newFunction('Plain', usEast);
    Flagwire.fromTable(usEast, 'Flags', { flagsTableArn }).addTo(plain, GUID);
    // The cast: CDK's own classes do not fit its interfaces under exactOptionalPropertyTypes.
    const functionVersion = plain.currentVersion as IVersion;
    const edgeLambdas = [{ functionVersion, eventType: LambdaEdgeEventType.ORIGIN_REQUEST }];
    const origin = new HttpOrigin('example.com') as IOrigin;
    new Distribution(usEast, 'Site', { defaultBehavior: { origin, edgeLambdas } });
    expect(() => synthesizeStack(usEast)).toThrow('not compatible with Lambda@Edge');
  });
});

describe('fromTable', () => {
  const attributes = { flagsTableArn, environments: { production: GUID } };

  test('sets the name of a table in the region and account of the function, and otherwise its ARN', () => {
    const near = new Stack(stack.node.root as App, 'Near', { env: { region: 'eu-west-1', account: '123456789012' } });
    for (const scope of [near, stack])
      Flagwire.fromTable(scope, 'Flags', attributes).addTo(newFunction('Cart', scope), 'production');
    expect(variablesOf('Cart', near)).toEqual({ FLAGS_TABLE: 'flags', FLAGS_ENVIRONMENT: GUID });
    expect(variablesOf()).toEqual({ FLAGS_TABLE: flagsTableArn, FLAGS_ENVIRONMENT: GUID });
  });

  test('sets the usage table and the missing attribute, and allows the key by DynamoDB in the region of the table', () => {
    const kmsKeyArn = 'arn:aws:kms:eu-west-1:123456789012:key/k';
    const far = new Stack(stack.node.root as App, 'Far', { env: { region: 'us-east-1' } });
    const all = { ...attributes, kmsKeyArn, usageTableArn, missingAttribute: 'no-match' } as const;
    Flagwire.fromTable(far, 'Flags', all).addTo(newFunction('Cart', far), 'production', { usage: true });
    expect(variablesOf('Cart', far)).toEqual({
      FLAGS_TABLE: flagsTableArn,
      FLAGS_ENVIRONMENT: GUID,
      FLAGS_USAGE_TABLE: usageTableArn,
      FLAGS_MISSING_ATTRIBUTE: 'no-match',
    });
    const { properties } = onlyResourceOf(synthesizeStack(far), 'AWS::IAM::Policy');
    expect(properties['PolicyDocument']).toMatchObject({
      Statement: [
        { Action: ['dynamodb:GetItem', 'dynamodb:Query'], Resource: flagsTableArn },
        { Action: 'dynamodb:UpdateItem', Resource: usageTableArn },
        {
          Action: 'kms:Decrypt',
          Resource: kmsKeyArn,
          Condition: { StringEquals: { 'kms:ViaService': 'dynamodb.eu-west-1.amazonaws.com' } },
        },
      ],
    });
  });

  test('leaves no record, and grants as the service does', () => {
    const flags = Flagwire.fromTable(stack, 'Flags', attributes);
    const [cart, worker] = [newFunction(), newFunction('Worker')];
    flags.addTo(cart, 'production');
    flags.grantRead(worker, 'production');
    const template = synthesizeStack(stack);
    expect(resourcesOf(template, 'Custom::FlagwireEnvironments')).toEqual([]);
    const [one, other] = resourcesOf(template, 'AWS::IAM::Policy').map(
      ({ properties }) => properties['PolicyDocument'],
    );
    expect(one).toEqual(other);
    expect(() => flags.addTo(newFunction('Other'), 'staging')).toThrow('App/Flags has no environment staging');
    const away = new Stack(stack.node.root, 'Other', { env: { account: '210987654321', region: 'eu-west-1' } });
    expect(() => flags.addTo(newFunction('Far', away), 'production')).toThrow(
      'Other/Far is in another account than the flags table',
    );
    expect(() => flags.addTo(newFunction('Usage'), 'production', { usage: true })).toThrow(
      'set usageWritesPerSecond or usageTableArn',
    );
  });
});
