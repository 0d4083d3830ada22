/** Bytes that are not text. The message says what to do. */
export class NotText extends Error {
  override name = 'NotText';
}

const MARKS = [
  ['utf-8', 'efbbbf'],
  ['utf-16le', 'fffe'],
  ['utf-16be', 'feff'],
] as const;

/**
 * Decodes a text file that a person gives: UTF-8, or what its byte-order mark says. Programs on Windows write such marks.
 *
 * @throws {NotText} for other bytes
 */
export function decodeText(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 3)).toString('hex');
  const [encoding] = MARKS.find(([, mark]) => start.startsWith(mark)) ?? ['utf-8' as const];
  const text = new TextDecoder(encoding).decode(bytes);
  if (text.includes('\0') || !isValid(encoding, bytes)) {
    const line = text.slice(0, text.search(/[\0\ufffd]/)).split('\n').length;
    throw new NotText(`line ${line} has bytes that are not ${encoding.toUpperCase()}. Save the file as UTF-8`);
  }
  return text;
}

function isValid(encoding: (typeof MARKS)[number][0], bytes: Uint8Array): boolean {
  try {
    new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
