import { envIdOfSecret } from './secret.ts';

/** FeatBit's digits: the letter at index n stands for n. */
const DIGITS = 'QBWSPHDXZU';
/** Length of the header: three digits for where the timestamp is put in, two for how long it is. */
const HEADER_LENGTH = 5;

/** How far a token's timestamp may be from the server's clock, either way, in milliseconds (FeatBit's default). */
export const TOKEN_LIFETIME_MS = 30_000;

/** A connection token taken apart. */
interface Token {
  readonly secret: string;
  readonly envId: string;
  /** When the SDK made it, unix milliseconds by the SDK's clock. */
  readonly timestamp: number;
}

/**
 * Hides a secret in a connection token, as SDKs do for every connection attempt: header, then the secret without its
 * padding, with the encoded timestamp put in at `position`.
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
 * Takes a connection token apart.
 *
 * @returns undefined when its structure, its digits or the secret's form are wrong; says nothing of its age
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

/** Whether a token is neither too old nor too far in the future; a difference of exactly the lifetime still is fine. */
export function isFresh(token: Token, nowMs: number): boolean {
  return Math.abs(nowMs - token.timestamp) <= TOKEN_LIFETIME_MS;
}

/** A number in FeatBit's digits, with leading zeros up to `width`. */
export function encodeNumber(value: number, width = 1): string {
  return Array.from(String(value).padStart(width, '0'), (digit) => DIGITS[Number(digit)]).join('');
}

/** The number in FeatBit's digits; a blank text is 0, undefined when a letter is not a digit. */
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
