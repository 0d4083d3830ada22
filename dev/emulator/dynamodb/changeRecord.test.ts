import { describe, expect, test } from '@jest/globals';
import { changeRecord, changesNothing } from './changeRecord.ts';
import type { Item, StreamViewType, Table } from './dynaliteInternals.ts';

const table = (view: StreamViewType): Table => ({
  TableName: 'Flags',
  TableStatus: 'ACTIVE',
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
  StreamSpecification: { StreamEnabled: true, StreamViewType: view },
  LatestStreamArn: 'arn:stream',
});
const before: Item = { pk: { S: 'a' }, n: { N: '1' } };
const after: Item = { pk: { S: 'a' }, n: { N: '2' }, bytes: { B: 'AQI=' } };
const context = { sequenceNumber: '000000000000000000007', awsRegion: 'eu-west-1', now: 1_700_000_000_900 };

describe('a change record', () => {
  test('has the shape of a stream event', () => {
    const record = changeRecord({ table: table('NEW_AND_OLD_IMAGES'), before, after }, context);
    expect(record).toEqual({
      eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
      eventName: 'MODIFY',
      eventVersion: '1.1',
      eventSource: 'aws:dynamodb',
      awsRegion: 'eu-west-1',
      eventSourceARN: 'arn:stream',
      dynamodb: {
        ApproximateCreationDateTime: 1_700_000_000,
        Keys: { pk: { S: 'a' } },
        NewImage: after,
        OldImage: before,
        SequenceNumber: '000000000000000000007',
        SizeBytes: 3 + 6 + 13,
        StreamViewType: 'NEW_AND_OLD_IMAGES',
      },
    });
  });

  test.each<[StreamViewType, string[]]>([
    ['KEYS_ONLY', []],
    ['NEW_IMAGE', ['NewImage']],
    ['OLD_IMAGE', ['OldImage']],
    ['NEW_AND_OLD_IMAGES', ['NewImage', 'OldImage']],
  ])('with view %s shows the images %j', (view, images) => {
    const { dynamodb } = changeRecord({ table: table(view), before, after }, context);
    expect(Object.keys(dynamodb).filter((name) => name.endsWith('Image'))).toEqual(images);
  });

  test('names inserts and removals, and who removed', () => {
    const userIdentity = { type: 'Service', principalId: 'dynamodb.amazonaws.com' } as const;
    const insert = changeRecord({ table: table('NEW_IMAGE'), before: undefined, after }, context);
    expect([insert.eventName, 'userIdentity' in insert]).toEqual(['INSERT', false]);
    const removal = changeRecord({ table: table('NEW_IMAGE'), before, after: undefined }, { ...context, userIdentity });
    expect([removal.eventName, removal.userIdentity, removal.dynamodb.Keys]).toEqual([
      'REMOVE',
      userIdentity,
      { pk: { S: 'a' } },
    ]);
  });
});

describe('a write that changes nothing', () => {
  const same = (a: Item | undefined, b: Item | undefined) =>
    changesNothing({ table: table('NEW_IMAGE'), before: a, after: b });

  test('is one that leaves equal values, in whatever order members of maps and sets are', () => {
    const value = (set: string[], list: string[]): Item => ({
      pk: { S: 'a' },
      map: { M: { set: { SS: set }, list: { L: list.map((S) => ({ S })) } } },
    });
    expect(same(value(['x', 'y'], ['1', '2']), value(['y', 'x'], ['1', '2']))).toBe(true);
    expect(same({ a: { S: '1' }, b: { BOOL: true } }, { b: { BOOL: true }, a: { S: '1' } })).toBe(true);
    expect(same(value(['x'], ['1', '2']), value(['x'], ['2', '1']))).toBe(false);
    expect(same(value(['x'], []), value(['x', 'y'], []))).toBe(false);
  });

  test('is not one that changes a type, adds or removes an attribute, or the item', () => {
    expect(same({ a: { S: '1' } }, { a: { N: '1' } })).toBe(false);
    expect(same({ a: { S: '1' } }, { a: { S: '1' }, b: { S: '1' } })).toBe(false);
    expect(same({ a: { S: '1' }, b: { S: '1' } }, { a: { S: '1' }, c: { S: '1' } })).toBe(false);
    expect(same(undefined, before)).toBe(false);
    expect(same(before, undefined)).toBe(false);
    expect(same(undefined, undefined)).toBe(true);
  });
});
