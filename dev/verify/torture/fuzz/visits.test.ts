import { createHash } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { makeVisit, type Visit } from './visits.ts';

const keys = { clientKey: 'c'.repeat(44), serverKey: 's'.repeat(44), token: (type: string) => `token-${type}` };

function digest(visit: Visit): string {
  return createHash('sha1').update(JSON.stringify(visit)).digest('hex');
}

describe('visits', () => {
  test('are the same for the same seed and number, and others for others', () => {
    const texts = (seed: number, from: number) =>
      Array.from({ length: 300 }, (_, n) => digest(makeVisit(seed, from + n, keys)));
    expect(texts(1, 0)).toEqual(texts(1, 0));
    expect(texts(1, 100).slice(0, 200)).toEqual(texts(1, 0).slice(100));
    expect(texts(2, 0)).not.toEqual(texts(1, 0));
  });

  test('are of every kind, and most inputs are messages', () => {
    const sent: Record<string, number> = {};
    for (let n = 0; n < 4_000; n++) {
      const { kind, inputs } = makeVisit(3, n, keys);
      sent[kind] = (sent[kind] ?? 0) + inputs;
    }
    const { handshake = 0, http = 0, messages = 0, unread = 0, upload = 0 } = sent;
    for (const count of [handshake, http, messages]) expect(count).toBeGreaterThan(1_000);
    expect(unread).toBeGreaterThan(0);
    expect(upload).toBeGreaterThan(0);
  });
});
