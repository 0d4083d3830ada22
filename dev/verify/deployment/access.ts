import { envIdOfSecret } from '../../../shared/protocol/secret.ts';
import { encodeToken } from '../../../shared/protocol/token.ts';

/** A deployment as an SDK knows it: where it is, and the keys of one environment. */
export interface Access {
  /** Without path: SDKs append `/streaming`. */
  readonly streamingUrl: string;
  readonly httpUrl: string;
  readonly clientKey: string;
  readonly serverKey: string;
}

/** A deployment that cannot be verified. The message has the reason and the way out. */
export class CannotVerify extends Error {
  override name = 'CannotVerify';
}

/**
 * Checks URLs of the command line, and converts them into the form that SDKs need.
 *
 * @throws {CannotVerify} naming what does not fit
 */
export function readUrls(streaming: string, http: string): Pick<Access, 'streamingUrl' | 'httpUrl'> {
  return {
    streamingUrl: readUrl('streaming', streaming, ['wss:', 'ws:']),
    httpUrl: readUrl('HTTP', http, ['https:', 'http:']),
  };
}

/**
 * Checks the keys of an environment that is only looked at.
 *
 * @returns undefined when none was given
 * @throws {CannotVerify} when there is one alone, a malformed one, or they belong to two environments
 */
export function readKeys(
  clientKey: string | undefined,
  serverKey: string | undefined,
): Pick<Access, 'clientKey' | 'serverKey'> | undefined {
  if (!clientKey && !serverKey) return undefined;
  if (!clientKey || !serverKey) throw new CannotVerify('give both --client-key and --server-key, or neither');
  const [client, server] = [envIdOfSecret(clientKey), envIdOfSecret(serverKey)];
  if (!client) throw new CannotVerify('--client-key is not a secret: give the 44 characters that `env create` printed');
  if (!server) throw new CannotVerify('--server-key is not a secret: give the 44 characters that `env create` printed');
  if (client !== server)
    throw new CannotVerify('--client-key and --server-key belong to two environments; give both keys of one');
  return { clientKey, serverKey };
}

/** The address of a connection, with a fresh token, as SDKs make one for every attempt. */
export function connectionUrl({ streamingUrl, clientKey, serverKey }: Access, type: 'client' | 'server'): string {
  const token = encodeToken(type === 'client' ? clientKey : serverKey, Date.now(), 7);
  return `${streamingUrl}/streaming?type=${type}&token=${token}`;
}

function readUrl(name: string, text: string, schemes: readonly string[]): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !schemes.includes(url.protocol)) {
    const wanted = schemes.map((scheme) => `${scheme}//…`).join(' or ');
    throw new CannotVerify(`the ${name} URL must be ${wanted}, as in the stack's outputs, but is "${text}"`);
  }
  return text.replace(/\/+$/, '').replace(/\/streaming$/, '');
}
