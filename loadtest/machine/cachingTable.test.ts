import { describe, expect, test } from '@jest/globals';
import { Memo } from './cachingTable.ts';

const request = (operation: string, body: string) =>
  [{ 'x-amz-target': `DynamoDB_20120810.${operation}` }, Buffer.from(body)] as const;

describe('the memo', () => {
  test('asks for a read once, until something is written', async () => {
    const asked: string[] = [];
    const memo = new Memo(async (_, body) => {
      asked.push(String(body));
      return { status: 200, headers: {}, body: Buffer.from(`answer ${asked.length}`) };
    });
    const read = async (body: string) => String((await memo.answer(...request('GetItem', body))).body);
    expect([await read('a'), await read('a'), await read('b')]).toEqual(['answer 1', 'answer 1', 'answer 2']);
    await memo.answer(...request('TransactWriteItems', 'w'));
    expect(await read('a')).toBe('answer 4');
  });

  test('does not keep what was read while something was written, nor failures', async () => {
    let finish: (() => void)[] = [];
    let status = 200;
    const memo = new Memo(async () => {
      await new Promise<void>((resolve) => finish.push(resolve));
      return { status, headers: {}, body: Buffer.from(String(finish.length)) };
    });
    const go = () => {
      for (const each of finish) each();
      finish = [];
    };
    const write = memo.answer(...request('PutItem', 'w'));
    const early = memo.answer(...request('Query', 'q'));
    go();
    await Promise.all([write, early]);
    status = 500;
    const failed = memo.answer(...request('Query', 'q'));
    expect(finish).toHaveLength(1);
    go();
    await failed;
    status = 200;
    const again = memo.answer(...request('Query', 'q'));
    expect(finish).toHaveLength(1);
    go();
    expect((await again).status).toBe(200);
  });
});
