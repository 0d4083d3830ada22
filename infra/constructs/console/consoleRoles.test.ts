import { PutItemCommand } from '@aws-sdk/client-dynamodb';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type LocalStack, startLocal } from '../../../dev/emulator/emulator.ts';
import type { AccessKey } from '../../../dev/emulator/iam/identities.ts';
import { systemEffects } from '../../../shared/runtime/effects.ts';
import { openStore } from '../../../shared/store/store.ts';
import { SdkClient } from '../../../shared/store/table/table.ts';
import { aFlag } from '../../../shared/testing/builders.ts';
import { readConfig } from '../../config/config.ts';
import type { TemplateResource } from '../../inProcess.ts';
import { functionWithEntry } from '../../stacks/testing/templates.ts';
import { synthesizedTemplates } from '../../testing/synthesizedTemplates.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

/*
 * The roles of the console, assumed by the role of its function in the emulator. What one of them may not do is refused, whatever the code
 * of the function asks for.
 */

const [OWN, OTHER] = ['226b9bf8-4af3-4ffa-9b01-162270e4cd40', '226b9bf8-4af3-4ffa-9b01-162270e4cd41'] as const;
const STACK = 'Flagwire-dev-Serverless';
const signIn = {
  issuer: 'https://id.example.com',
  clientId: 'console',
  viewers: ['v'],
  editors: { [OWN]: ['e'] },
  administrators: ['a'],
};

let stack: LocalStack;
let logicalId: (prefix: string) => string;
const clients: { destroy(): void }[] = [];

/** A store with a key. What it writes is of a person who is signed in. */
function storeOf(credentials?: AccessKey) {
  const client = new SdkClient({ maxAttempts: 1, ...(credentials && { credentials }) });
  clients.push(client);
  const author = { by: 'ann@example.com', command: 'c', signedBy: 'sub-1' };
  return openStore({ client, flags: stack.tables.flags }, systemEffects, async () => author);
}

const functionKeys = (): AccessKey => stack.assumeRole(`${STACK}/${logicalId('ConsoleFunctionRole')}`);

type Role = 'Viewer' | 'Editor' | 'Administrator';

/** The keys of a session for a person, as the function gets it. @param credentials of who asks for it. Default: the function's */
async function keysOf(role: Role, credentials = functionKeys()): Promise<AccessKey> {
  const sts = new STSClient({ credentials, maxAttempts: 1 });
  clients.push(sts);
  const RoleArn = `arn:aws:iam::000000000000:role/${STACK}-${logicalId(`Console${role}`)}`;
  const person = { RoleSessionName: 'console', SourceIdentity: 'ann@example.com', DurationSeconds: 900 };
  const { Credentials: key } = await sts.send(new AssumeRoleCommand({ RoleArn, ...person }));
  return {
    accessKeyId: key?.AccessKeyId ?? '',
    secretAccessKey: key?.SecretAccessKey ?? '',
    ...(key?.SessionToken !== undefined && { sessionToken: key.SessionToken }),
  };
}

beforeAll(async () => {
  const templates = synthesizedTemplates(readConfig({ console: { signIn } }));
  const serverless = templates[STACK] as { Resources: Record<string, TemplateResource> };
  const { Resources } = serverless;
  logicalId = (prefix) =>
    Object.keys(Resources).find((id) => id.startsWith(prefix) && Resources[id]?.Type === 'AWS::IAM::Role') ?? prefix;
  // Of the function, only the role is needed.
  const { Metadata: _, ...handler } = functionWithEntry(serverless, 'functions/lambda/console.ts').template;
  const own = Object.keys(Resources).filter((id) => id.startsWith('ConsoleFunctionHandler'));
  for (const id of own) Resources[id] = handler;
  stack = await startLocal({ templates, log: () => {} });
  const administrator = storeOf();
  for (const id of [OWN, OTHER]) await administrator.environments.create(`environment ${id}`, id);
});
afterAll(async () => {
  for (const client of clients) client.destroy();
  await stack.close();
});

const putFlag = (store: ReturnType<typeof storeOf>, envId: string) =>
  store.documents.writeFlag(envId, 'f', () => aFlag({ key: 'f', name: `at ${systemEffects.uuid()}` }));
const DENIED = { name: 'AccessDeniedException' };

describe('a session of the console', () => {
  test('lets an editor change the own environment with the own name, and nothing else', async () => {
    const store = storeOf(await keysOf('Editor'));
    await putFlag(store, OWN);
    for await (const { by, signedBy } of store.history.changes(OWN))
      expect([by, signedBy]).toEqual(['ann@example.com', 'sub-1']);
    await expect(putFlag(store, OTHER)).rejects.toMatchObject(DENIED);
    await expect(store.secrets.create(OWN, 'third', 'server')).rejects.toMatchObject(DENIED);
    await expect(store.environments.create('another')).rejects.toMatchObject(DENIED);
    await expect(store.environments.change({ id: OWN }, { name: 'new' })).rejects.toMatchObject(DENIED);
    await expect(store.environments.remove(await store.environments.find(OWN))).rejects.toMatchObject(DENIED);
  });

  test('assumes no role of the console, whatever its own', async () => {
    const keys = await keysOf('Editor');
    for (const role of ['Viewer', 'Editor', 'Administrator'] as const) {
      await expect(keysOf(role, keys)).rejects.toMatchObject({ name: 'AccessDenied' });
    }
  });

  test('lets an editor write `signedBy` into the history of the own environment only', async () => {
    const client = new SdkClient({ credentials: await keysOf('Editor'), maxAttempts: 1 });
    clients.push(client);
    for (const pk of [`HISTORY#${OTHER}`, `HISTORY#${OWN}0`, `ENV#${OWN}`, `JOURNAL#${OWN}`, `PLAN#${OWN}`, 'DUE']) {
      const Item = { pk: { S: pk }, sk: { S: 'x' }, signedBy: { S: 'boss' } };
      const put = new PutItemCommand({ TableName: stack.tables.flags, Item });
      await expect(client.send(put)).rejects.toMatchObject(DENIED);
    }
  });
});

test('the function itself reads and writes nothing', async () => {
  const store = storeOf(functionKeys());
  await expect(store.environments.list()).rejects.toMatchObject(DENIED);
  await expect(putFlag(store, OWN)).rejects.toMatchObject(DENIED);
});
