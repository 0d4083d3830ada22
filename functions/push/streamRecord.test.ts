import { describe, expect, test } from '@jest/globals';
import type { StreamAttribute } from '../../shared/store/documents/change.ts';
import { readRecord } from './streamRecord.ts';

const FLAG: Readonly<Record<string, StreamAttribute>> = {
  kind: { S: 'flag' },
  pk: { S: 'ENV#env' },
  sk: { S: 'FLAG#f' },
  doc: { S: '{}' },
  updatedAt: { N: '5' },
  previous: { N: '4' },
  writtenAt: { N: '5' },
};

/** Reads a record of a flag with some attributes changed. */
const read = (image: Readonly<Record<string, unknown>> = {}, SequenceNumber?: string) =>
  readRecord({ dynamodb: { NewImage: { ...FLAG, ...image } as typeof FLAG, SequenceNumber } });

test('a written flag is a change, told to Lambda by its sequence number', () => {
  expect(read({}, '17')).toMatchObject({ itemIdentifier: '17', change: { envId: 'env', id: 'f', updatedAt: 5 } });
});

// https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html
test('has an empty sequence number without one, so that Lambda retries the whole batch', () => {
  expect(read()).toMatchObject({ itemIdentifier: '' });
});

test.each(['0', '-5', '5.5', '9007199254740992'])('a flag whose version is %s is not delivered', (N) => {
  expect(read({ updatedAt: { N } })).toMatchObject({ unreadable: { reason: 'updatedAt is no version' } });
});

test('the first change of an environment has none before it', () => {
  expect(read({ updatedAt: { N: '1' }, previous: { N: '0' } })).toMatchObject({
    change: { updatedAt: 1, previous: 0 },
  });
});

describe('an unreadable record', () => {
  const placeOf = (image: Readonly<Record<string, unknown>>, sequenceNumber?: string) =>
    read({ previous: { N: 'soon' }, ...image }, sequenceNumber)?.unreadable;

  test('is reported with its place', () => {
    expect(placeOf({}, '17')).toEqual({
      sequenceNumber: '17',
      pk: 'ENV#env',
      sk: 'FLAG#f',
      reason: 'previous is no version',
    });
  });

  test('is reported with nothing in the place of what it lacks', () => {
    expect(readRecord({ dynamodb: { NewImage: null as never } })).toMatchObject({
      itemIdentifier: '',
      unreadable: { sequenceNumber: '', pk: '', sk: '' },
    });
  });

  test('is reported without the digest of a secret; an environment is no secret', () => {
    const secret = { envId: 5, revokedAt: null };
    expect(placeOf({ ...secret, pk: { S: 'SECRET#0123456789abcdef' } })?.pk).toBe('SECRET#…');
    expect(placeOf({ pk: { S: 'ENV#SECRET#0' } })?.pk).toBe('ENV#SECRET#0');
  });
});
