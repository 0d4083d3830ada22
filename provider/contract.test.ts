import { gunzipSync, gzipSync } from 'node:zlib';
import { GetItemCommand, QueryCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, test } from '@jest/globals';
import { digestSnapshot } from '../shared/store/documents/storedSnapshot.ts';
import { SnapshotWriter } from '../shared/store/snapshots/snapshotWriter.ts';
import type { Item } from '../shared/store/table/attributes.ts';
import type { TableRequests } from '../shared/store/table/tableRequests.ts';
import { newEnvironment, store, useStore } from '../shared/store/testing/testStore.ts';
import { testEffects } from '../shared/store/testing/testTables.ts';
import { aFlag, aSegment } from '../shared/testing/builders.ts';
import { FlagwireProvider } from './provider.ts';

/*
 * The items of the flags table that released packages of the provider read. A service may write more attributes. It must not change
 * these, because nobody updates the packages in functions when a service is updated.
 */

const effects = testEffects(Date.UTC(2026, 10, 29));
useStore(effects);

const ENV = 'b3a0c6c2-0000-4000-8000-00000000000e';
const text = expect.objectContaining({ S: expect.any(String) });
const number = { N: expect.stringMatching(/^\d+$/) };

describe('the service writes what released providers read', () => {
  const get = async (pk: string, sk: string): Promise<Item> => {
    const Key = { pk: { S: pk }, sk: { S: sk } };
    return (await store.tables.client.send(new GetItemCommand({ TableName: store.tables.flags, Key }))).Item ?? {};
  };
  const underneath = async (pk: string): Promise<Item[]> => {
    const KeyConditionExpression = 'pk = :pk';
    const ExpressionAttributeValues = { ':pk': { S: pk } };
    const query = { TableName: store.tables.flags, KeyConditionExpression, ExpressionAttributeValues };
    return (await store.tables.client.send(new QueryCommand(query))).Items ?? [];
  };

  test('four versions, a journal, documents, and four snapshots of chunks and a pointer', async () => {
    const envId = await newEnvironment();
    await store.documents.writeSegment(envId, 's', () => aSegment({ id: 's' }));
    await store.documents.writeFlag(envId, 'f', () => aFlag({ key: 'f' }));
    const { client, flags: name } = store.tables;
    await new SnapshotWriter({ client, name, effects }).rewrite(envId);

    const stamp = { kind: text, updatedAt: number, previous: number, writtenAt: number, doc: text };
    for (let n = 0; n < 4; n += 1) {
      const version = await get(`VERSION#${envId}#${n}`, '-');
      expect(version).toMatchObject({
        updatedAt: { N: expect.stringMatching(/^\d+[.]0{16}1$/) },
        previous: number,
        writtenAt: number,
      });
      const [, pointer] = await underneath(`SNAPSHOT#${envId}#${n}`);
      expect(pointer).toMatchObject({
        sk: { S: 'POINTER' },
        version: number,
        slot: number,
        chunks: { N: '1' },
        digest: { S: expect.stringMatching(/^[\da-f]{64}$/) },
        table: { S: name },
      });
    }
    const [chunk] = await underneath(`SNAPSHOT#${envId}#0`);
    expect(chunk).toMatchObject({ sk: { S: '0#000' }, bytes: { B: expect.any(Uint8Array) } });
    const [flag, segment] = JSON.parse(gunzipSync(chunk?.['bytes']?.B ?? '').toString());
    const stamps = { updatedAt: expect.any(Number), previous: expect.any(Number), writtenAt: expect.any(Number) };
    expect(flag).toEqual({ kind: 'flag', id: 'f', ...stamps, targetedAt: 0, text: expect.any(String) });
    expect(segment).toEqual({ kind: 'segment', id: 's', ...stamps, targetedAt: 0, text: expect.any(String) });
    expect(JSON.parse(flag.text)).toEqual({ ...aFlag({ key: 'f' }), envId, updatedAt: expect.any(String) });
    expect(JSON.parse(segment.text)).toEqual({ ...aSegment({ id: 's' }), envId, updatedAt: expect.any(String) });
    const [entry] = await underneath(`JOURNAL#${envId}`);
    expect(entry).toMatchObject({
      sk: { S: expect.stringMatching(/^\d{15}$/) },
      changes: { L: [{ M: { pk: { S: `ENV#${envId}` }, sk: { S: 'SEGMENT#s' }, ...stamp } }] },
    });
    expect(await get(`ENV#${envId}`, 'FLAG#f')).toMatchObject(stamp);
  });
});

describe('a provider reads', () => {
  const flag = JSON.stringify(aFlag({ key: 'f' }));
  const off = JSON.stringify(aFlag({ key: 'f', isEnabled: false }));
  const bytes = gzipSync(
    JSON.stringify([{ kind: 'flag', id: 'f', updatedAt: 10, previous: 0, writtenAt: 10, targetedAt: 0, text: flag }]),
  );
  const item = (pk: string, sk: string, attributes: Item): Item => ({ pk: { S: pk }, sk: { S: sk }, ...attributes });
  const version = (updatedAt: number, previous: number) => ({
    updatedAt: { N: `${updatedAt}.00000000000000001` },
    previous: { N: `${previous}` },
    writtenAt: { N: `${updatedAt}` },
    attributeOfALaterRelease: { BOOL: true },
  });
  const pointer = {
    version: { N: '10' },
    slot: { N: '1' },
    chunks: { N: '1' },
    digest: { S: digestSnapshot(bytes) },
    writtenAt: { N: '10' },
    table: { S: 'Flags' },
  };
  const stored = { kind: { S: 'flag' }, updatedAt: { N: '11' }, previous: { N: '10' }, writtenAt: { N: '11' } };

  /** Answers reads of items as these. */
  function tableOf(items: readonly Item[]): TableRequests {
    const found = (pk?: string) =>
      items.filter((each) => each['pk']?.S?.replace(/#\d$/, '') === pk?.replace(/#\d$/, ''));
    return {
      getItem: async ({ Key }) => {
        const one = found(Key?.['pk']?.S).find(({ sk }) => sk?.S === Key?.['sk']?.S);
        return one ? { Item: one } : {};
      },
      query: async ({ ExpressionAttributeValues: values }) => ({
        Items: found(values?.[':pk']?.S).filter(({ sk }) => {
          const [first = '', last = '\uffff'] = [values?.[':first']?.S, values?.[':last']?.S];
          return (sk?.S ?? '') >= first && (sk?.S ?? '') <= last;
        }),
      }),
      updateItem: async () => {},
    };
  }

  test.each<[string, readonly Item[], boolean]>([
    [
      'a snapshot',
      [
        item(`VERSION#${ENV}#0`, '-', version(10, 0)),
        item(`SNAPSHOT#${ENV}#0`, 'POINTER', pointer),
        item(`SNAPSHOT#${ENV}#0`, '1#000', { version: { N: '10' }, bytes: { B: bytes } }),
      ],
      true,
    ],
    [
      'the journal since a snapshot',
      [
        item(`VERSION#${ENV}#0`, '-', version(11, 10)),
        item(`SNAPSHOT#${ENV}#0`, 'POINTER', pointer),
        item(`SNAPSHOT#${ENV}#0`, '1#000', { version: { N: '10' }, bytes: { B: bytes } }),
        item(`JOURNAL#${ENV}`, '000000000000011', {
          changes: { L: [{ M: item(`ENV#${ENV}`, 'FLAG#f', { ...stored, docGz: { B: gzipSync(off) } }) }] },
        }),
      ],
      false,
    ],
    [
      'documents',
      [item(`VERSION#${ENV}#0`, '-', version(11, 10)), item(`ENV#${ENV}`, 'FLAG#f', { ...stored, doc: { S: off } })],
      false,
    ],
  ])('%s', async (_, items, expected) => {
    const provider = new FlagwireProvider({
      table: 'Flags',
      environment: ENV,
      region: 'us-east-1',
      deps: { effects, client: tableOf(items) },
    });
    await provider.initialize();
    const { value, errorCode } = await provider.resolveBooleanEvaluation('f', !expected, {});
    expect({ value, errorCode }).toEqual({ value: expected, errorCode: undefined });
  });
});
