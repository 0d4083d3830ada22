import { createHash, hash } from 'node:crypto';
import { md5Int32 } from '../../../shared/evaluation/md5.ts';
import type { Contestant } from './rounds.ts';

const KEYS = Array.from({ length: 1000 }, (_, n) => `flag-${n}user-${n * 7}`);

/** Ways to the first four bytes of an MD5. */
export function hashContestants(): Contestant[] {
  const over = (name: string, int32: (key: string) => number): Contestant => ({
    name,
    run: (turn) => int32(KEYS[turn % KEYS.length] as string),
  });
  return [
    over('one-shot to a Latin-1 string (used)', md5Int32),
    over('one-shot to a Buffer', (key) => hash('md5', key, 'buffer').readInt32LE(0)),
    over('createHash to a Buffer', (key) => createHash('md5').update(key).digest().readInt32LE(0)),
  ];
}
