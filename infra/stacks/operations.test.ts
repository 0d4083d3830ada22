import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { build } from 'esbuild';
import { lambdaBuild } from '../constructs/lambdaEntry.ts';
import { repositoryRoot } from '../repository.ts';
import { resourcesOf, serviceFunctions, templateOf, templateWith } from './testing/templates.ts';

/** Operations whose IAM action has another name. */
const actionNames: Record<string, string> = {
  'eventbridge:PutEvents': 'events:PutEvents',
  'resource-groups-tagging-api:GetResources': 'tag:GetResources',
  'sqs:SendMessageBatch': 'sqs:SendMessage',
};

/** What roles need besides their function's code: to log, and for Lambda's pollers to read stream and queue. */
const notFromCode = /^logs:|Stream|^dynamodb:GetRecords$|^dynamodb:GetShardIterator$|^sqs:(?!SendMessage)/;

/** What Lambda's poller sends under a role: records that it gives up. */
const fromPoller: Record<string, readonly string[]> = { 'functions/lambda/announce.ts': ['sqs:SendMessage'] };

/**
 * What a function carries and does not call: methods of the objects that `openFlagReader` and `openConnections` give, and of `SdkClient`. An
 * operation that is new here is either called, and then to be allowed, or belongs into this list.
 */
const carried: Record<string, readonly string[]> = {
  'functions/lambda/announce.ts': ['dynamodb:UpdateItem'],
  'functions/lambda/connect.ts': ['dynamodb:DeleteItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
  'functions/lambda/environments.ts': ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:UpdateItem'],
  'functions/lambda/guard.ts': ['dynamodb:UpdateItem'],
  'functions/lambda/tick.ts': ['dynamodb:UpdateItem'],
  'functions/lambda/disconnect.ts': ['dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:Query', 'dynamodb:UpdateItem'],
  'functions/lambda/publish.ts': ['dynamodb:UpdateItem'],
  'functions/lambda/revoke.ts': ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
};

/** The actions of a function's transactions. IAM has none for a transaction itself. */
const inTransactions: Record<string, readonly string[]> = {
  'functions/lambda/environments.ts': ['dynamodb:PutItem'],
  'functions/lambda/guard.ts': ['dynamodb:DeleteItem', 'dynamodb:PutItem'],
  'functions/lambda/tick.ts': ['dynamodb:DeleteItem', 'dynamodb:PutItem'],
};

/** In every DynamoDB client for the sake of endpoint discovery, which is off unless asked for. */
const neverSent = 'dynamodb:DescribeEndpoints';

const templates = [templateOf('Data'), templateWith('Serverless', { environments: ['production'] })];

// That a right is missing shows where the functions run under their policies, in the emulator; that one is too many shows here.
test.each(
  templates.flatMap(serviceFunctions).map(({ properties, template: { Metadata } }) => ({
    entry: String(Metadata?.['flagwire:entry']),
    roleId: (properties['Role'] as { 'Fn::GetAtt': [string] })['Fn::GetAtt'][0],
  })),
)('$entry may do what its code can ask of AWS, and nothing else', async ({ entry, roleId }) => {
  const allowed = actionsOf(roleId).filter(
    (action) => !notFromCode.test(action) && !fromPoller[entry]?.includes(action),
  );
  const used = (await operationsIn(entry))
    .filter((action) => !notFromCode.test(action) && !carried[entry]?.includes(action))
    .flatMap((action) => (action === 'dynamodb:TransactWriteItems' ? (inTransactions[entry] ?? []) : action));
  expect([...new Set(allowed)].sort()).toEqual([...new Set(used)].sort());
});

function actionsOf(roleId: string): string[] {
  return templates
    .flatMap((template) => resourcesOf(template, 'AWS::IAM::Policy'))
    .filter(({ properties }) => (properties['Roles'] as { Ref: string }[]).some(({ Ref }) => Ref === roleId))
    .flatMap(({ properties }) => (properties['PolicyDocument'] as { Statement: { Action: string[] }[] }).Statement)
    .flatMap(({ Action }) => Action);
}

/** DynamoDB's commands are modules of their own in the SDK only. */
const { '@aws-sdk/client-dynamodb': _, ...alias } = lambdaBuild.alias;

/** The SDK commands that are left in an entry's bundle, where tree shaking has dropped those it cannot reach. */
async function operationsIn(entry: string): Promise<string[]> {
  const { metafile } = await build({
    ...lambdaBuild,
    alias,
    entryPoints: [join(repositoryRoot, entry)],
    outfile: 'index.mjs',
    write: false,
    metafile: true,
  });
  return Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => operationOf(path) ?? [])
    .filter((operation) => operation !== neverSent)
    .map((operation) => actionNames[operation] ?? operation);
}

/** The operation of a module: a command of the SDK's, or the requests that are signed without its client. */
function operationOf(path: string): string | undefined {
  if (path.endsWith('functions/gateway/managementApi.ts')) return 'execute-api:ManageConnections';
  const [, service, command] = path.match(/@aws-sdk\/client-([\w-]+)\/.*\/commands\/(\w+)Command\.js$/) ?? [];
  return service && `${service}:${command}`;
}
