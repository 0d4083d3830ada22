import { describe, expect, test } from '@jest/globals';
import { cacheReads } from './cachingTable.ts';

const request = (operation: string, body: string) =>
  [{ 'x-amz-target': `DynamoDB_20120810.${operation}` }, Buffer.from(body)] as const;

describe('the cache of reads', () => {
  test('asks for a read once, until something is written', async () => {
    const asked: string[] = [];
    const answer = cacheReads(async (_, body) => {
      asked.push(String(body));
      return { status: 200, headers: {}, body: Buffer.from(`answer ${asked.length}`) };
    });
    const read = async (body: string) => String((await answer(...request('GetItem', body))).body);
    expect([await read('a'), await read('a'), await read('b')]).toEqual(['answer 1', 'answer 1', 'answer 2']);
    await answer(...request('TransactWriteItems', 'w'));
    expect(await read('a')).toBe('answer 4');
  });

  test('does not keep what was read while something was written, nor failures', async () => {
    let finish: (() => void)[] = [];
    let status = 200;
    const answer = cacheReads(async () => {
      await new Promise<void>((resolve) => finish.push(resolve));
      return { status, headers: {}, body: Buffer.from(String(finish.length)) };
    });
    const go = () => {
      for (const each of finish) each();
      finish = [];
    };
    const write = answer(...request('PutItem', 'w'));
    const early = answer(...request('Query', 'q'));
    go();
    await Promise.all([write, early]);
    status = 500;
    const failed = answer(...request('Query', 'q'));
    expect(finish).toHaveLength(1);
    go();
    await failed;
    status = 200;
    const again = answer(...request('Query', 'q'));
    expect(finish).toHaveLength(1);
    go();
    expect((await again).status).toBe(200);
  });
});
