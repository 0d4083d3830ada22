import { hash } from 'node:crypto';

/**
 * The first four bytes of the MD5 of a text's UTF-8 form, as a little-endian signed integer. Rollouts use no more.
 *
 * The digest is a binary (Latin-1) string, because that is several times faster than a Buffer.
 */
export function md5Int32(text: string): number {
  const digest = hash('md5', text, 'binary');
  return (
    digest.charCodeAt(0) | (digest.charCodeAt(1) << 8) | (digest.charCodeAt(2) << 16) | (digest.charCodeAt(3) << 24)
  );
}
