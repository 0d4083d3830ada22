/** Bytes that are not text. The message says what to do. */
export class NotText extends Error {
  override name = 'NotText';
}

/** `TextDecoder` removes the mark of UTF-8 as well. */
const MARKS = [
  ['utf-16le', 'fffe'],
  ['utf-16be', 'feff'],
] as const;

/**
 * Decodes a text file that a person gives: UTF-8, or what its byte-order mark says. Programs on Windows write such marks.
 *
 * @throws {NotText} for other bytes
 */
export function decodeText(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 2)).toString('hex');
  const [encoding] = MARKS.find(([, mark]) => start.startsWith(mark)) ?? (['utf-8'] as const);
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes('\0')) return text;
  } catch {}
  const lossy = new TextDecoder(encoding).decode(bytes);
  const line = lossy.slice(0, lossy.search(/[\0\ufffd]/)).split('\n').length;
  throw new NotText(`line ${line} has bytes that are not ${encoding.toUpperCase()}. Save the file as UTF-8`);
}
