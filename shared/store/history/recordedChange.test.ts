import { DeleteItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { IN_SEGMENT } from '../../flags/rule.ts';
import { systemEffects } from '../../runtime/effects.ts';
import { aCondition, aFlag, aRule, aSegment } from '../../testing/builders.ts';
import { type FlagStore, openStore } from '../store.ts';
import { keys } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { database, newEnvironment, useTables } from '../testing/testStore.ts';
import type { Intercept } from '../testing/testTables.ts';
import { readRecordedChange, readSegmentName } from './recordedChange.ts';

let store: FlagStore;
useTables();
beforeAll(() => {
  store = openStore(database.open(systemEffects).tables, systemEffects, async () => ({ by: 'ann', command: 'edit f' }));
});

const tableWith = (intercept?: Intercept): Table => {
  const { client, flags: name } = database.open(systemEffects, intercept).tables;
  return { client, name, effects: systemEffects };
};

/** Writes a flag. @returns the version */
async function rename(envId: string, name: string, key = 'f'): Promise<number> {
  const [written] = await store.documents.writeFlag(envId, key, (flag) => ({ ...(flag ?? aFlag({ key })), name }));
  return written?.updatedAt ?? 0;
}

/** Deletes the journal entry of a version, as its time to live does. */
async function forget(envId: string, version: number): Promise<void> {
  const { client, name: TableName } = tableWith();
  await client.send(new DeleteItemCommand({ TableName, Key: keys.journal(envId, version) }));
}

const namesOf = async (envId: string, version: number, table = tableWith()) =>
  (await readRecordedChange(table, envId, version))?.documents.map(({ before, after }) => [before?.name, after?.name]);

describe('a recorded change', () => {
  test('has its environment, its author, and its documents before and after', async () => {
    const envId = await newEnvironment(store);
    await store.environments.change({ id: envId }, { name: `prod ${envId}`, isProduction: true });
    const first = await rename(envId, 'one');
    const second = await rename(envId, 'two');
    expect(await readRecordedChange(tableWith(), envId, second)).toMatchObject({
      environment: { id: envId, name: `prod ${envId}`, isProduction: true },
      by: 'ann',
      command: 'edit f',
      version: second,
      change: second,
      documents: [
        { kind: 'flag', id: 'f', updatedAt: second, previous: first, before: { name: 'one' }, after: { name: 'two' } },
      ],
    });
    expect(await readRecordedChange(tableWith(), envId, first)).toMatchObject({
      documents: [{ previous: undefined, before: undefined, after: { name: 'one' } }],
    });
  });

  test('has the states of its own time after later changes, with and without the journal', async () => {
    const envId = await newEnvironment(store);
    const versions = [await rename(envId, 'one'), await rename(envId, 'two'), await rename(envId, 'other', 'g')];
    await rename(envId, 'three');
    const expected = [[[undefined, 'one']], [['one', 'two']], [[undefined, 'other']]];
    expect(await Promise.all(versions.map((version) => namesOf(envId, version)))).toEqual(expected);
    for (const version of versions) await forget(envId, version);
    expect(await Promise.all(versions.map((version) => namesOf(envId, version)))).toEqual(expected);
  });

  test('has the state of its own time if somebody changes the flag while it is read', async () => {
    const envId = await newEnvironment(store);
    const version = await rename(envId, 'one');
    await forget(envId, version);
    await rename(envId, 'two');
    let isChanged = false;
    const slow = tableWith(async ({ name, input }, send) => {
      const answer = await send();
      if (!isChanged && name === 'GetItem' && input.Key.sk.S === 'FLAG#f') {
        isChanged = true;
        await rename(envId, 'three');
      }
      return answer;
    });
    expect(await namesOf(envId, version, slow)).toEqual([[undefined, 'one']]);
    expect(isChanged).toBe(true);
  });

  test('leaves out flags that only got a new version with a segment', async () => {
    const envId = await newEnvironment(store);
    await store.documents.writeSegment(envId, 's', () => aSegment({ id: 's', name: 'Staff' }));
    const inStaff = aRule([aCondition(IN_SEGMENT, null, '["s"]')]);
    await store.documents.writeFlag(envId, 'f', () => aFlag({ key: 'f', rules: [inStaff] }));
    const written = await store.documents.writeSegment(envId, 's', (segment) =>
      aSegment({ ...segment, included: ['ann'] }),
    );
    expect(written.map(({ id }) => id)).toEqual(['s', 'f']);
    const change = await readRecordedChange(tableWith(), envId, written.at(-1)?.updatedAt ?? 0);
    expect(change?.documents).toMatchObject([{ kind: 'segment', id: 's', after: { included: ['ann'] } }]);
    expect(await readSegmentName(tableWith(), envId, 's')).toBe('Staff');
    expect(await readSegmentName(tableWith(), envId, 'none')).toBeUndefined();
  });

  test('is undefined after its environment was deleted', async () => {
    const envId = await newEnvironment(store);
    const version = await rename(envId, 'one');
    await store.environments.remove(await store.environments.find(envId));
    expect(await readRecordedChange(tableWith(), envId, version)).toBeUndefined();
  });
});
