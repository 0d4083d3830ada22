import { md5 } from '@noble/hashes/legacy.js';
import { utf8ToBytes } from '@noble/hashes/utils.js';

/** Replaces `node:crypto` in a browser. The evaluation uses only this function. */
export function hash(_algorithm: 'md5', text: string, _encoding: 'binary'): string {
  return String.fromCharCode(...md5(utf8ToBytes(text)));
}
