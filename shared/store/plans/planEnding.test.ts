import { beforeEach, expect, test } from '@jest/globals';
import { tick } from '../../../functions/testing/tick.ts';
import { asDeleted } from '../../flags/deletion.ts';
import type { Document } from '../../flags/document.ts';
import { aFlag, aSegment } from '../../testing/builders.ts';
import { Documents } from '../documents/write.ts';
import { openStore } from '../store.ts';
import { newEnvironment, store, useStore } from '../testing/testStore.ts';
import { testEffects } from '../testing/testTables.ts';

const effects = testEffects();
const HOUR = 3_600_000;
/** More than fit into one transaction with their plans. */
const KEYS = Array.from({ length: 20 }, (_, n) => `f${n}`);

useStore(effects);

let envId: string;

beforeEach(async () => {
  envId = await newEnvironment();
  const flags = KEYS.map((key): Document => ({ kind: 'flag', document: aFlag({ key }) }));
  await store.documents.import(envId, [...flags, { kind: 'segment', document: aSegment({ id: 's', name: 'Beta' }) }]);
});

const bob = () => openStore(store.tables, effects, async () => ({ by: 'bob', command: 'the command' }));
const planFor = async (kind: 'flag' | 'segment', ...ids: string[]) => {
  const now = effects.now();
  const change = ({ kind: of, document }: Document) =>
    ({ kind: of, document: { ...document, description: 'planned' } }) as Document;
  await store.plans.create(envId, now, () =>
    ids.map((documentId) => ({ kind, documentId, type: 'changes', steps: [{ at: now + HOUR, change }] })),
  );
};
const states = async () => (await store.plans.list(envId, 'all')).map(({ state }) => state);
const newest = async () => {
  for await (const entry of store.history.entries(envId)) return entry;
  throw new Error('the history is empty');
};

test('archiving a flag ends its plan in the same transaction, and says so in the history', async () => {
  await planFor('flag', 'f0', 'f1');
  await bob().documents.writeFlag(envId, 'f0', (flag) => ({ ...aFlag(), ...flag, isArchived: true }));
  const at = effects.now();
  expect(await states()).toEqual(expect.arrayContaining([{ kind: 'aborted', at, by: 'bob' }, { kind: 'running' }]));
  expect(await newest()).toMatchObject({ by: 'bob', command: 'the command; ended its plan' });
  effects.clock.now += 2 * HOUR;
  expect(await tick(store)).toEqual([]);
  expect((await states()).map(({ kind }) => kind).toSorted()).toEqual(['aborted', 'done']);
});

test('deleting many flags ends all of their plans', async () => {
  await planFor('flag', ...KEYS);
  await bob().documents.writeAll(envId, (all) =>
    all.flatMap((each) => (each.kind === 'flag' ? [{ kind: 'flag', document: asDeleted(each.document) }] : [])),
  );
  expect((await states()).map(({ kind }) => kind)).toEqual(KEYS.map(() => 'aborted'));
  expect((await newest()).command).toMatch(/^the command; ended \d+ plans$/);
});

test('archiving a segment ends its plan; another edit does not', async () => {
  await planFor('segment', 's');
  const edit = (fields: object) =>
    bob().documents.writeSegment(envId, 's', (segment) => ({ ...aSegment(), ...segment, ...fields }));
  await edit({ description: 'edited' });
  expect(await states()).toMatchObject([{ kind: 'paused' }]);
  await edit({ isArchived: true });
  expect(await states()).toMatchObject([{ kind: 'aborted' }]);
});

test('the plan of an archived flag cannot be resumed until the flag is restored', async () => {
  await planFor('flag', 'f0');
  const { client, flags: name } = store.tables;
  const set = (isArchived: boolean) =>
    new Documents({ client, name, effects }).writeFlag(envId, 'f0', (flag) => ({ ...aFlag(), ...flag, isArchived }));
  await set(true);
  const [plan] = await store.plans.list(envId);
  const resume = () => store.plans.resume(envId, plan?.id ?? '');
  await expect(resume()).rejects.toThrow(
    'flag "f0" is archived, so its plan cannot continue; restore it first, or abort the plan',
  );
  await set(false);
  await store.documents.writeFlag(envId, 'f0', (flag) => ({ ...aFlag(), ...flag, description: 'edited' }));
  expect((await resume())?.state).toEqual({ kind: 'running' });
});

test('a paused plan whose next step restores the flag can be resumed', async () => {
  const { client, flags: name } = store.tables;
  const write = (fields: object) =>
    new Documents({ client, name, effects }).writeFlag(envId, 'f0', (flag) => ({ ...aFlag(), ...flag, ...fields }));
  await write({ isArchived: true });
  const change = ({ kind, document }: Document) => ({ kind, document: { ...document, isArchived: false } }) as Document;
  const [plan] = await store.plans.create(envId, effects.now(), () => [
    { kind: 'flag', documentId: 'f0', type: 'changes', steps: [{ at: effects.now() + HOUR, change }] },
  ]);
  await write({ description: 'edited' });
  expect((await store.plans.resume(envId, plan?.id ?? ''))?.state).toEqual({ kind: 'running' });
});
