import { beforeAll, describe, expect, test } from '@jest/globals';
import { evaluate } from '../../../dev/emulator/iam/evaluate.ts';
import { IN_SEGMENT } from '../../../shared/flags/rule.ts';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { readReceipt } from '../../../shared/store/connections/receipt.ts';
import { type FlagStore, openStore } from '../../../shared/store/store.ts';
import { readServiceVersion } from '../../../shared/store/table/serviceVersion.ts';
import { database, useTables } from '../../../shared/store/testing/testStore.ts';
import type { Call, TestStore } from '../../../shared/store/testing/testTables.ts';
import { readFlagUsage } from '../../../shared/store/usage/flagUsage.ts';
import { Usage } from '../../../shared/store/usage/usage.ts';
import { aCondition, aFlag, aRule, aSegment } from '../../../shared/testing/builders.ts';
import { resourcesOf, templateOf, templateWith, textOf } from '../../stacks/testing/templates.ts';

const EDITED = '226b9bf8-4af3-4ffa-9b01-162270e4cd40';
const OTHER = '226b9bf8-4af3-4ffa-9b01-162270e4cd41';
const template = templateWith('Data', {
  stage: 'dev',
  operatorPolicies: { editorEnvironments: [EDITED] },
});

const signIn = {
  issuer: 'https://id.example.com',
  clientId: 'console',
  viewers: ['v'],
  editors: { [EDITED]: ['e'] },
  administrators: ['a'],
};
const service = templateWith('Serverless', { stage: 'dev', console: { signIn } });

interface Statement {
  readonly Effect: 'Allow';
  readonly Action: string | string[];
  readonly Resource: unknown;
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | string[]>>>>;
}

/** Of an operator's policy, or of a role that the deployed console assumes. */
function statementsOf(policy: string): Statement[] {
  const found = policy.startsWith('Console')
    ? resourcesOf(service, 'AWS::IAM::Policy').find(({ id }) => id.startsWith(policy))
    : resourcesOf(template, 'AWS::IAM::ManagedPolicy').find(({ id }) => id.startsWith(`Operators${policy}`));
  if (!found) throw new Error(`there is no policy ${policy}`);
  return (found.properties['PolicyDocument'] as { Statement: Statement[] }).Statement;
}

/** What DynamoDB asks IAM of one item or query, on the flags table unless another is named. */
interface Request {
  readonly action: string;
  readonly keys: readonly string[];
  readonly attributes: readonly string[];
}

/** As IAM decides, on the flags table or on another. */
function isAllowed(policy: string, { action, keys, attributes }: Request, resource = '{Flags.Arn}'): boolean {
  const statements = statementsOf(policy).map((statement) => ({
    ...statement,
    Resource: [statement.Resource].flat().map(textOf),
  }));
  const context = { 'dynamodb:LeadingKeys': keys, 'dynamodb:Attributes': attributes };
  return evaluate(statements, { action, resource, context }).allowed;
}

/** What a command asks IAM; a transaction is asked item by item. */
function requestsOf({ name, input }: Call): Request[] {
  if (name === 'TransactWriteItems') {
    return input.TransactItems.flatMap(({ Put, Delete }: { Put?: { Item: object }; Delete?: { Key: object } }) =>
      Put ? [requestOn('dynamodb:PutItem', Put.Item)] : [requestOn('dynamodb:DeleteItem', Delete?.Key ?? {})],
    );
  }
  return [requestOn(`dynamodb:${name}`, input.Key ?? { pk: input.ExpressionAttributeValues[':pk'] })];
}

function requestOn(action: string, item: { readonly pk?: { readonly S?: string } }): Request {
  return { action, keys: [item.pk?.S ?? ''], attributes: Object.keys(item) };
}

let asked: Request[];
/** Who is signed in to the deployed console. */
let signedBy: string | undefined;
let store: FlagStore;
let tables: TestStore['tables'];

useTables();
beforeAll(async () => {
  ({ tables } = database.open(systemEffects, (call, send) => {
    asked.push(...requestsOf(call));
    return send();
  }));
  store = openStore(tables, systemEffects, async () => ({ by: 'ann', command: 'c', commit: '4c1f0b9', signedBy }));
  asked = [];
  for (const id of [EDITED, OTHER]) await store.environments.create(`environment ${id}`, id);
});

/** What is done in an environment, and what IAM is asked for it. */
async function requestsFor(act: () => Promise<unknown>): Promise<Request[]> {
  asked = [];
  await act();
  expect(asked.length).toBeGreaterThan(0);
  return asked;
}

async function readAll(envId: string): Promise<void> {
  await readServiceVersion({ client: tables.client, name: tables.flags });
  await store.environments.list();
  await store.environments.find(envId);
  await store.documents.load(envId);
  await store.documents.version(envId);
  await store.history.stateAt(envId, 0);
  for await (const change of store.history.changes(envId)) expect(change.by).toBe('ann');
}

async function edit(envId: string): Promise<void> {
  const rules = [aRule([aCondition(IN_SEGMENT, null, '["s"]')])];
  const large = 'x'.repeat(20_000);
  await store.documents.writeSegment(envId, 's', () => aSegment({ id: 's' }));
  await store.documents.writeFlag(envId, 'f', () => aFlag({ key: 'f', rules, description: large }));
  const written = await store.documents.writeSegment(envId, 's', () => aSegment({ id: 's', included: ['u'] }));
  await store.history.undo(envId, written.at(-1)?.updatedAt ?? 0);
  // More than one transaction holds.
  const flags = Array.from({ length: 120 }, (_, n) => aFlag({ key: `f${n}`, name: `at ${systemEffects.now()}` }));
  await store.documents.writeAll(envId, () => flags.map((document) => ({ kind: 'flag', document })));
}

const ACTS: Readonly<Record<string, (envId: string) => Promise<unknown>>> = {
  read: readAll,
  edit,
  'create webhooks': (id) => store.plans.webhookSecrets(id),
  rename: (id) => store.environments.change({ id }, { name: `new ${id}` }),
  'make a secret': (id) => store.secrets.create(id, 'third', 'server'),
  // Another one, which other tests do not need.
  delete: async (id) => store.environments.remove((await store.environments.create(`old ${id}`)).environment),
};

const RIGHTS: [string, Record<string, [boolean, boolean]>][] = [
  ['Viewer', { read: [true, true], edit: [false, false], 'create webhooks': [false, false] }],
  [
    'Editor',
    {
      read: [true, true],
      edit: [true, false],
      'create webhooks': [true, false],
      rename: [false, false],
      'make a secret': [false, false],
    },
  ],
  [
    'Administrator',
    {
      read: [true, true],
      edit: [true, true],
      'create webhooks': [true, true],
      rename: [true, true],
      'make a secret': [true, true],
      delete: [true, true],
    },
  ],
];

describe.each(RIGHTS.flatMap(([policy, may]) => [[policy, may] as const, [`Console${policy}`, may] as const]))(
  '%s',
  (policy, may) => {
    test.each(Object.entries(may))('may %s in the environment and in another: %j', async (act, expected) => {
      signedBy = policy.startsWith('Console') ? 'sub-1' : undefined;
      const allowed: boolean[] = [];
      for (const envId of [EDITED, OTHER]) {
        const requests = await requestsFor(() => ACTS[act]?.(envId) ?? Promise.resolve());
        allowed.push(requests.every((request) => isAllowed(policy, request)));
      }
      expect(allowed).toEqual(expected);
    });
  },
);

test('only roles of the console and administrators write who was signed in', async () => {
  signedBy = 'sub-1';
  const requests = await requestsFor(() => edit(EDITED));
  const signed = requests.filter(({ attributes }) => attributes.includes('signedBy'));
  expect(signed.length).toBeGreaterThan(0);
  expect(signed.every(({ keys }) => keys.every((key) => key === `HISTORY#${EDITED}`))).toBe(true);
  const writers = RIGHTS.flatMap(([policy]) => [policy, `Console${policy}`]).filter((policy) =>
    signed.some((request) => isAllowed(policy, request)),
  );
  expect(writers).toEqual(['ConsoleEditor', 'Administrator', 'ConsoleAdministrator']);
  const elsewhere = signed.map((request) => ({ ...request, keys: [`ENV#${EDITED}`] }));
  expect(elsewhere.some((request) => isAllowed('ConsoleEditor', request))).toBe(false);
});

test('nobody but an administrator deletes, updates, or writes another way', () => {
  for (const policy of ['Viewer', 'Editor', 'ConsoleViewer', 'ConsoleEditor']) {
    for (const action of ['DeleteItem', 'UpdateItem', 'BatchWriteItem', 'PartiQLUpdate', 'Scan']) {
      const request = { action: `dynamodb:${action}`, keys: [`HISTORY#${EDITED}`], attributes: ['pk', 'sk'] };
      expect([action, isAllowed(policy, request)]).toEqual([action, false]);
    }
  }
});

test('an editor’s keys are of the environment, and not of one whose id goes on', () => {
  for (const keys of [
    `ENV#${EDITED}0`,
    `HISTORY#${EDITED}#1`,
    `VERSION#${EDITED}`,
    `SNAPSHOT#${EDITED}#0`,
    'ENVIRONMENTS',
    'SECRET#x',
    'RELAYS',
    'SERVICE',
  ]) {
    expect(isAllowed('Editor', { action: 'dynamodb:PutItem', keys: [keys], attributes: ['pk'] })).toBe(false);
  }
});

test('connections are seen by what they are counted by, without their users', async () => {
  const calls: Call[] = [];
  const counting = database.open(systemEffects, (call, send) => {
    calls.push(call);
    return send();
  });
  await counting.connections.countByType(EDITED, 10);
  await readReceipt(counting.connections, { load: async () => [] }, EDITED, { version: 1, at: 1 });
  const [, ...others] = statementsOf('Viewer');
  // A statement for each kind of row: a viewer reads no attribute of one that only the other is counted by.
  const attributes: Readonly<Record<string, readonly string[]>> = {
    CONN: [
      ...['pk', 'sk', 'type', 'behind', 'unanswerable', 'firstRequestedAt', 'leaseUntil', 'sentTo', 'version'],
      ...['servedTo', 'rounds', 'delivering', 'servedId', 'begunId'],
    ],
    HOST: ['pk', 'sk', 'leaseUntil', 'servedTo', 'newest', 'open', 'served', 'behind', 'rounds', 'expiresAt'],
  };
  for (const [index, kind] of Object.keys(attributes).entries()) {
    expect(textOf(others[index]?.Resource)).toBe('{Connections.Arn}');
    expect(others[index]?.Condition).toEqual({
      'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': [`${kind}#*`] },
      'ForAllValues:StringEquals': { 'dynamodb:Attributes': attributes[kind] },
      StringEquals: { 'dynamodb:Select': 'SPECIFIC_ATTRIBUTES' },
    });
  }
  expect(calls.length).toBeGreaterThan(0);
  for (const { name, input } of calls) {
    expect([name, input.Select]).toEqual(['Query', 'SPECIFIC_ATTRIBUTES']);
    const asked: string[] = input.ProjectionExpression.replaceAll('#', '').split(', ');
    const [kind = ''] = input.ExpressionAttributeValues[':pk'].S.split('#');
    expect(asked.filter((each) => !attributes[kind]?.includes(each))).toEqual([]);
  }
});

test.each(['Viewer', 'Editor', 'Administrator'])('%s may read receipts, and no user of a connection', (policy) => {
  const statements = statementsOf(policy).map((statement) => ({
    ...statement,
    Resource: [statement.Resource].flat().map(textOf),
  }));
  const may = (pk: string, attributes: readonly string[], action = 'dynamodb:Query') => {
    const context = {
      'dynamodb:LeadingKeys': [pk],
      'dynamodb:Attributes': attributes,
      'dynamodb:Select': ['SPECIFIC_ATTRIBUTES'],
    };
    return evaluate(statements, { action, resource: '{Connections.Arn}', context }).allowed;
  };
  const row = ['pk', 'sk', 'firstRequestedAt', 'leaseUntil', 'sentTo', 'version', 'behind', 'unanswerable'];
  const cursor = ['pk', 'sk', 'servedTo', 'rounds', 'delivering', 'servedId', 'begunId'];
  const host = ['pk', 'sk', 'leaseUntil', 'servedTo', 'newest', 'open', 'served', 'behind', 'rounds', 'expiresAt'];
  const connections = `CONN#${OTHER}#5`;
  expect([may(connections, row), may(connections, cursor), may(`HOST#${OTHER}`, host)]).toEqual([true, true, true]);
  expect([may(connections, [...row, 'user']), may(connections, row, 'dynamodb:GetItem')]).toEqual([false, false]);
  expect(may(`HOST#${OTHER}`, host, 'dynamodb:PutItem')).toBe(false);
});

test('everybody may read the counts of evaluations, and change none', async () => {
  const calls: Request[] = [];
  const { client, usage: name } = database.open(systemEffects, (call, send) => {
    calls.push(...requestsOf(call));
    return send();
  }).tables;
  await readFlagUsage(new Usage({ client, name, effects: systemEffects }), EDITED, 'f', 0);
  expect(new Set(calls.map(({ action }) => action))).toEqual(new Set(['dynamodb:GetItem', 'dynamodb:Query']));
  for (const policy of ['Viewer', 'Editor', 'Administrator']) {
    for (const call of calls) expect(isAllowed(policy, call, '{Usage.Arn}')).toBe(true);
    for (const action of ['UpdateItem', 'PutItem', 'DeleteItem', 'Scan']) {
      const request = { action: `dynamodb:${action}`, keys: [`USAGE#${EDITED}`], attributes: ['pk'] };
      expect([policy, action, isAllowed(policy, request, '{Usage.Arn}')]).toEqual([policy, action, false]);
    }
  }
});

test('everybody may read the metrics and alarms of CloudWatch, and change none', () => {
  const [, , , cloudWatch] = statementsOf('Viewer');
  expect(cloudWatch?.Action).toEqual(['cloudwatch:DescribeAlarms', 'cloudwatch:GetMetricData']);
});

test('everybody may find the deployment by the outputs of its stacks', () => {
  const [, , , , stacks] = statementsOf('Viewer');
  expect(stacks?.Action).toBe('cloudformation:DescribeStacks');
  const stack = 'arn:{AWS::Partition}:cloudformation:{AWS::Region}:{AWS::AccountId}:stack/Flagwire-dev';
  expect([stacks?.Resource].flat().map(textOf)).toEqual([`${stack}-Data/*`, `${stack}-Serverless/*`]);
});

test('policies are made where they are asked for, attached to nobody, and put out', () => {
  expect(resourcesOf(templateOf('Data'), 'AWS::IAM::ManagedPolicy')).toEqual([]);
  const made = resourcesOf(template, 'AWS::IAM::ManagedPolicy');
  expect(made).toHaveLength(3);
  for (const { properties } of made) {
    expect(properties).not.toHaveProperty('Users');
    expect(properties).not.toHaveProperty('Roles');
    expect(properties).not.toHaveProperty('Groups');
    expect(properties).not.toHaveProperty('ManagedPolicyName');
  }
  expect(Object.keys(template.Outputs ?? {}).filter((name) => name.startsWith('Operators'))).toHaveLength(3);
});
