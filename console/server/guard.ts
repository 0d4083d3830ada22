import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { isOwnAddress, isOwnName } from '../../shared/command/thisMachine.ts';
import { RequestError } from './requestError.ts';

/** Headers and socket address of a request. */
export interface Sender {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`, which browsers set and pages cannot change. */
  readonly fetchSite: string | undefined;
  readonly address: string | undefined;
}

/** Refuses requests of other machines, and of other names of this machine. @throws {RequestError} */
export function requireThisMachine({ host, address }: Sender): void {
  if (!isOwnAddress(address)) {
    throw new RequestError('foreign-origin', 'the console answers nobody but the machine that it runs on');
  }
  if (!isOwnName(host)) {
    throw new RequestError('foreign-origin', 'the console is at http://127.0.0.1, and answers to no other name');
  }
}

/** Refuses requests of pages of other sites or ports. @throws {RequestError} */
export function requireOwnPage({ host, origin, fetchSite }: Sender): void {
  const isOwn = origin === undefined || origin.toLowerCase() === `http://${host?.toLowerCase()}`;
  if (isOwn && (fetchSite === undefined || fetchSite === 'same-origin')) return;
  throw new RequestError('foreign-origin', 'the console’s API answers no page but the console’s own');
}

/** A random token of 43 characters. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Compares a token with the expected one in constant time. */
export function tokenCheck(expected: string): (given: string | undefined) => void {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  const known = digest(expected);
  return (given) => {
    if (timingSafeEqual(digest(given ?? ''), known)) return;
    throw new RequestError(
      'token-required',
      given
        ? 'This console link has expired. Open the one that the terminal shows now.'
        : 'The access token is missing. Open the link that the terminal shows: it has the token.',
    );
  };
}
