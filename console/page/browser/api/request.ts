import { formatProblem } from '../../../../shared/flags/problem.ts';
import { ownCommand } from '../../../../shared/runtime/ownCommand.ts';
import {
  API_PATH,
  type Context,
  PERSON_HEADER,
  type Requests,
  TOKEN_HEADER,
  type VersionedDocument,
} from '../../../api.ts';
import { ERROR_STATUS, type ErrorAnswer, type ErrorCode } from '../../../errors.ts';
import { knownPerson, renewSession, startOver } from './signIn.ts';

type Name = keyof Requests;
/** The body, the query, and the ids in the path. */
type Parts<N extends Name> = {
  readonly env?: string;
  readonly secret?: string;
  readonly plan?: string;
} & (Requests[N]['body'] extends undefined ? object : { readonly body: Requests[N]['body'] }) &
  (Requests[N]['query'] extends undefined ? object : { readonly query: NonNullable<Requests[N]['query']> });

/** Maximum duration of a read, in milliseconds. A write has none: whether it happened would be unknown. */
const READ_LIMIT_MS = 60_000;

/** The fragment of the address that the terminal prints, and the form of its token. Headers cannot hold every text. */
const TOKEN = /^#token=([^&/]*)/;
const VALID_TOKEN = /^[\w.~-]+$/;

/** The token of the printed address. It is kept for this tab, so that a reload works. */
export const token = takeToken();

/** What to check if the server does not answer. */
let advice =
  location.protocol === 'https:'
    ? 'Check your network connection.'
    : `Is \`${ownCommand('start')}\` or \`${ownCommand('console')}\` still running?`;

/** Notes the type of the server. The token of `npm start` survives restarts, so it is kept for other tabs and bookmarks too. */
export function noteServer({ mode, may }: Context): void {
  const command = ownCommand(mode === 'local' ? 'start' : 'console');
  advice = may ? 'Check your network connection.' : `Is \`${command}\` still running?`;
  if (mode === 'local') localStorage.setItem('token', token);
}

/** Sends a request to the server. @throws {RequestFailure} */
export async function request<N extends Name>(name: N, parts: Parts<N>): Promise<Requests[N]['answer']> {
  const { body, query, ...ids } = parts as { body?: unknown; query?: object } & Record<string, string>;
  const [method = 'GET', path = ''] = name.split(' ');
  const filled = path.replaceAll(/:(\w+)/g, (_, part: string) => encodeURIComponent(ids[part] ?? ''));
  const asked = new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  ).toString();
  const response = await send(`${filled}${asked && `?${asked}`}`, {
    method,
    ...(method === 'GET' ? { signal: AbortSignal.timeout(READ_LIMIT_MS) } : {}),
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  if (!response.ok) throw await failureOf(response);
  return (await response.json().catch(failWithout)) as Requests[N]['answer'];
}

/**
 * Sends a request with the token, and the person that the page knows. If somebody else has signed in, the page starts over. If the
 * session has ended, it is renewed, and the request is sent again: it had no effect.
 *
 * @throws {RequestFailure} if there is no answer, or if the session cannot be renewed now
 */
export async function send(path: string, { headers = {}, ...init }: RequestInit): Promise<Response> {
  const since = performance.now();
  const attempt = async (): Promise<Response> => {
    const person = knownPerson();
    const own = { [TOKEN_HEADER]: token || 'signed-in', ...(person && { [PERSON_HEADER]: person }) };
    const response = await fetch(`${API_PATH}${path}`, { ...init, headers: { ...headers, ...own } }).catch(failWithout);
    if (response.status !== 401 || (await failureOf(response.clone())).code !== 'other-person') return response;
    startOver();
    return new Promise(() => {});
  };
  const response = await attempt();
  if (response.status !== 401) return response;
  const { code } = await failureOf(response.clone());
  const renewal = code === 'sign-in-required' ? await renewSession(since) : response.status;
  if (renewal === 200) return attempt();
  if (renewal === 401 || renewal === 403) return response;
  const cause = renewal === ERROR_STATUS['provider-unavailable'] ? 'The identity provider does not answer. ' : '';
  throw new RequestFailure(
    'provider-unavailable',
    `${cause}Your session could not be renewed now, and stays open. Try again in a moment.`,
  );
}

/** Handles a request without an answer. @throws {RequestFailure} */
function failWithout({ name }: Error): never {
  if (name === 'TimeoutError')
    throw new RequestFailure('late', `The console server did not answer within ${READ_LIMIT_MS / 1_000} s.`);
  throw new RequestFailure('unreachable', `Cannot reach the console server. ${advice}`);
}

// A new link that is opened in this tab changes the fragment only.
addEventListener('hashchange', () => {
  if (TOKEN.test(location.hash)) location.reload();
});

function takeToken(): string {
  const given = TOKEN.exec(location.hash)?.[1];
  if (given !== undefined) history.replaceState(null, '', location.pathname);
  if (given && VALID_TOKEN.test(given)) sessionStorage.setItem('token', given);
  return sessionStorage.getItem('token') ?? localStorage.getItem('token') ?? '';
}

/** A failed request. The message names the cause and the next step. */
export class RequestFailure extends Error {
  override name = 'RequestFailure';
  readonly code: ErrorCode | 'unreachable' | 'late';
  /** With `edit-conflict`: the stored document, or null. */
  readonly current: VersionedDocument | null | undefined;

  constructor(code: RequestFailure['code'], message: string, current?: VersionedDocument | null) {
    super(message);
    this.code = code;
    this.current = current;
  }
}

/** Reads the failure from an answer. */
export async function failureOf(response: Response): Promise<RequestFailure> {
  try {
    const { error } = (await response.json()) as ErrorAnswer;
    const missing = error.action
      ? ` Missing permission: ${error.action}${error.resource ? ` on ${error.resource}` : ''}.`
      : '';
    const problems = error.problems?.length ? ` ${error.problems.map(formatProblem).join('; ')}` : '';
    return new RequestFailure(error.code, `${error.message}${problems}${missing}`, error.current);
  } catch {
    return new RequestFailure('internal-error', `The console answered with status ${response.status}.`);
  }
}

/** The message of an error, as one text. */
export function messageOf(error: unknown): string {
  return sentence(error instanceof Error ? error.message : String(error));
}

/** Capitalizes a message. */
export function sentence(message: string): string {
  return message.replace(/^[a-z]/, (letter) => letter.toUpperCase());
}
