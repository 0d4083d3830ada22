import type { STSClient } from '@aws-sdk/client-sts';
import { expect, test } from '@jest/globals';
import { createRoles, nameForAws } from './assumeRole.ts';
import type { Person } from './person.ts';

const ANN: Person = { id: 'ann-1', name: 'ann@shop.example', may: { edit: [], administer: false } };
const BOB: Person = { ...ANN, id: 'bob-2', name: 'bob@shop.example' };

/** Roles of an STS that notes its requests, at a time that tests set. */
function playRoles(fails = false) {
  const asked: Record<string, unknown>[] = [];
  const clock = { now: 1e12 };
  const send = async ({ input }: { readonly input: Record<string, unknown> }) => {
    asked.push(input);
    if (fails) throw Object.assign(new Error('not authorized'), { name: 'AccessDenied' });
    return { Credentials: { AccessKeyId: `key ${asked.length}`, SecretAccessKey: 's', SessionToken: 't' } };
  };
  const sts = { send } as unknown as Pick<STSClient, 'send'>;
  const open = createRoles(
    sts,
    ({ id }, { accessKeyId }) => `${id} ${accessKeyId}`,
    () => clock.now,
  );
  return { open, asked, clock };
}

test('a role is assumed for 15 minutes, in the name of the person', async () => {
  const { open, asked } = playRoles();
  await open(ANN, 'arn:viewer');
  expect(asked).toEqual([
    {
      RoleArn: 'arn:viewer',
      RoleSessionName: 'ann@shop.example',
      SourceIdentity: 'ann-1',
      DurationSeconds: 900,
    },
  ]);
});

test('two persons in turn on one instance have sessions of their own', async () => {
  const { open, asked } = playRoles();
  const opened = [];
  for (const person of [ANN, BOB, ANN, BOB]) opened.push(await open(person, 'arn:viewer'));
  expect(opened).toEqual(['ann-1 key 1', 'bob-2 key 2', 'ann-1 key 1', 'bob-2 key 2']);
  expect(asked.map(({ SourceIdentity }) => SourceIdentity)).toEqual(['ann-1', 'bob-2']);
});

test.each<[string, Person, string]>([
  ['role', ANN, 'arn:editor'],
  ['name', { ...ANN, name: 'root' }, 'arn:viewer'],
  ['set of rights', { ...ANN, may: { edit: ['a'], administer: false } }, 'arn:viewer'],
])('another %s is another session', async (_, person, arn) => {
  const { open } = playRoles();
  expect(await open(ANN, 'arn:viewer')).not.toBe(await open(person, arn));
});

test('a session is assumed again a minute before its end', async () => {
  const { open, asked, clock } = playRoles();
  await open(ANN, 'arn:viewer');
  clock.now += 839_999;
  await open(ANN, 'arn:viewer');
  expect(asked).toHaveLength(1);
  clock.now += 1;
  await open(ANN, 'arn:viewer');
  expect(asked).toHaveLength(2);
});

test('a refusal of STS is not kept', async () => {
  const { open, asked } = playRoles(true);
  for (let n = 0; n < 2; n++) await expect(open(ANN, 'arn:viewer')).rejects.toThrow('not authorized');
  expect(asked).toHaveLength(2);
});

test('at most 200 sessions are kept', async () => {
  const { open, asked } = playRoles();
  for (let n = 0; n <= 200; n++) await open({ ...ANN, id: `${n}` }, 'arn:viewer');
  await open({ ...ANN, id: '200' }, 'arn:viewer');
  expect(asked).toHaveLength(201);
  await open({ ...ANN, id: '0' }, 'arn:viewer');
  expect(asked).toHaveLength(202);
});

test.each([
  ['ann-1', 'ann-1'],
  ['auth0|1', expect.stringMatching(/^[0-9a-f]{64}$/)],
  ['a', expect.stringMatching(/^[0-9a-f]{64}$/)],
  ['x'.repeat(65), expect.stringMatching(/^[0-9a-f]{64}$/)],
])('the source identity of the id %s is %s', (id, expected) => {
  expect(nameForAws(id)).toEqual(expected);
});

test('another name is no other source identity, which a block names', async () => {
  const { open, asked } = playRoles();
  await open({ ...ANN, name: 'Ann Müller' }, 'arn:viewer');
  await open({ ...ANN, name: 'eve' }, 'arn:viewer');
  expect(asked).toMatchObject([
    { RoleSessionName: 'ann-1', SourceIdentity: 'ann-1' },
    { RoleSessionName: 'eve', SourceIdentity: 'ann-1' },
  ]);
});
