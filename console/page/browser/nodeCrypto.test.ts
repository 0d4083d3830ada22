import { hash as nodeHash } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hash } from './nodeCrypto.ts';

test('the browser places users as Node does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(hash('md5', text, 'binary')).toBe(nodeHash('md5', text, 'binary'));
    }),
  );
});
