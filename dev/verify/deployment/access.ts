import { encodeToken } from '../../../shared/protocol/token.ts';

/** A deployment as an SDK knows it: where it is, and the client key of one environment. */
export interface Access {
  /** Without path: SDKs append `/streaming`. */
  readonly streamingUrl: string;
  readonly httpUrl: string;
  readonly clientKey: string;
}

/** The environment variable with a {@link RemoteTarget}, as JSON. */
export const REMOTE_TARGET = 'FLAGWIRE_REMOTE_TARGET';

/** The deployment for remote.suite.ts. */
export interface RemoteTarget extends Pick<Access, 'streamingUrl' | 'httpUrl'> {
  readonly flagsTable: string;
  /** Prefix of the names of the suite's environments. */
  readonly environments: string;
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

/** The address of a connection, with a fresh token, as SDKs make one for every attempt. */
export function connectionUrl({ streamingUrl, clientKey }: Access): string {
  return `${streamingUrl}/streaming?type=client&token=${encodeToken(clientKey, Date.now(), 7)}`;
}

function readUrl(name: string, text: string, schemes: readonly string[]): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !schemes.includes(url.protocol)) {
    const wanted = schemes.map((scheme) => `${scheme}//…`).join(' or ');
    throw new CannotVerify(`the ${name} URL must be ${wanted}, as in the stack's outputs, but is "${text}"`);
  }
  return text.replace(/\/+$/, '').replace(/\/streaming$/, '');
}
