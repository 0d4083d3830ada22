import { md5 } from '@noble/hashes/legacy.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** Stands in for `node:crypto` in a browser, of which the evaluation uses this one function. */
export function hash(_algorithm: 'md5', text: string, _encoding: 'binary'): string {
  return String.fromCharCode(...md5(utf8ToBytes(text)));
}
