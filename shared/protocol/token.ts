import { envIdOfSecret } from './secret.ts';

/** FeatBit's digits: the letter at index n means n. */
const DIGITS = 'QBWSPHDXZU';
/** Length of the header: three digits for the timestamp's position, two for its length. */
const HEADER_LENGTH = 5;

/** Maximum difference between a token's timestamp and the server's clock, in milliseconds (FeatBit's default). */
export const TOKEN_LIFETIME_MS = 30_000;

/** A decoded connection token. */
interface Token {
  readonly secret: string;
  readonly envId: string;
  /** When the SDK created it, unix milliseconds by the SDK's clock. */
  readonly timestamp: number;
}

/**
 * Encodes a secret in a connection token, as SDKs do for every connection: a header, then the secret without padding.
 * The encoded timestamp is inserted at `position`.
 *
 * @param position 2 to the secret's length; SDKs choose it at random
 */
export function encodeToken(secret: string, timestamp: number, position: number): string {
  let text = secret;
  while (text.endsWith('=')) text = text.slice(0, -1);
  const stamp = encodeNumber(timestamp);
  const header = encodeNumber(position, 3) + encodeNumber(stamp.length, 2);
  return header + text.slice(0, position) + stamp + text.slice(position);
}

/**
 * Decodes a connection token. It does not check the token's age.
 *
 * @returns undefined if the structure, the digits or the secret's form are wrong
 */
export function decodeToken(token: string): Token | undefined {
  const position = decodeNumber(token.slice(0, 3));
  const length = decodeNumber(token.slice(3, HEADER_LENGTH));
  const rest = token.slice(HEADER_LENGTH);
  if (position === undefined || length === undefined || rest.length < position + length) return undefined;

  const timestamp = decodeNumber(rest.slice(position, position + length));
  const secret = rest.slice(0, position) + rest.slice(position + length);
  const envId = envIdOfSecret(secret);
  return timestamp === undefined || envId === undefined ? undefined : { secret, envId, timestamp };
}

/** Whether a token is neither too old nor too far in the future. A difference of exactly the lifetime is valid. */
export function isFresh(token: Token, nowMs: number): boolean {
  return Math.abs(nowMs - token.timestamp) <= TOKEN_LIFETIME_MS;
}

/** Writes a number in FeatBit's digits, with leading zeros up to `width`. */
export function encodeNumber(value: number, width = 1): string {
  return Array.from(String(value).padStart(width, '0'), (digit) => DIGITS[Number(digit)]).join('');
}

/** Parses a number in FeatBit's digits. A blank text is 0. @returns undefined for a letter that is not a digit */
export function decodeNumber(text: string): number | undefined {
  if (text.trim() === '') return 0;
  let value = 0;
  for (const letter of text) {
    const digit = DIGITS.indexOf(letter);
    if (digit < 0) return undefined;
    value = value * 10 + digit;
  }
  return value;
}
