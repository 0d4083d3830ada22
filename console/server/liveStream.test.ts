import { describe, expect, test } from '@jest/globals';
import type { LiveLine } from '../live.ts';
import { FedSource } from '../testing/console.ts';
import { limitLines, liveStream } from './liveStream.ts';

const refused: LiveLine = { type: 'refused', at: 1, status: 403 };

describe('lines', () => {
  test('are limited per second and the rest counted, except states and versions', () => {
    let now = 5_000;
    const written: LiveLine[] = [];
    const tell = limitLines(
      (text) => written.push(JSON.parse(text)),
      () => now,
    );
    for (let n = 0; n < 60; n++) tell(refused);
    tell({ type: 'version', at: 1, version: 2 });
    expect(written).toHaveLength(51);
    now += 1_000;
    tell(refused);
    expect(written.slice(51)).toEqual([{ type: 'left-out', count: 10 }, refused]);
    now += 1_000;
    tell(refused);
    expect(written).toHaveLength(54);
  });
});

describe('a stream', () => {
  test('ends and stops following if its reader does not read', () => {
    const source = new FedSource();
    let ends = 0;
    liveStream(source, 'e', () => ends++);
    for (let n = 0; n < 10_000 && source.followers.size > 0; n++) source.tell({ type: 'version', at: n, version: n });
    expect(source.followers.size).toBe(0);
    expect(ends).toBe(1);
  });

  test('ends once if it is ended twice', async () => {
    let ends = 0;
    const stream = liveStream(new FedSource(), 'e', () => ends++);
    stream.end();
    stream.end();
    await stream.body.cancel();
    expect(ends).toBe(1);
  });

  test('begins with what its source tells at once', async () => {
    const source = new FedSource();
    const follow = source.follow.bind(source);
    source.follow = (envId, tell) => {
      tell(refused);
      return follow(envId, tell);
    };
    const stream = liveStream(source, 'e', () => {});
    const reader = stream.body.getReader();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe(`${JSON.stringify(refused)}\n`);
    stream.end();
  });
});
