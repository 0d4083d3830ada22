import { ownCommand } from '../../../../shared/runtime/ownCommand.ts';
import { API_PATH, type Context, type Requests, TOKEN_HEADER } from '../../../api.ts';
import { failureOf, RequestFailure } from './failure.ts';

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

/** The fragment of the address that the terminal prints. */
const TOKEN = /^#token=([^&/]*)/;

/** The token of the printed address. It is kept for this tab, so that a reload works. */
export const token = takeToken();

/** The command that serves this page. */
let command = `\`${ownCommand('start')}\` or \`${ownCommand('console')}\``;

/** Notes the type of the server. The token of `npm start` survives restarts, so it is kept for other tabs and bookmarks too. */
export function noteServer(mode: Context['mode']): void {
  command = `\`${ownCommand(mode === 'local' ? 'start' : 'console')}\``;
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

/** Sends a request with the token. @throws {RequestFailure} if there is no answer */
export async function send(path: string, { headers = {}, ...init }: RequestInit): Promise<Response> {
  return fetch(`${API_PATH}${path}`, { ...init, headers: { ...headers, [TOKEN_HEADER]: token } }).catch(failWithout);
}

/** Handles a request without an answer. @throws {RequestFailure} */
function failWithout({ name }: Error): never {
  if (name === 'TimeoutError')
    throw new RequestFailure('late', `The console server did not answer within ${READ_LIMIT_MS / 1_000} s.`);
  throw new RequestFailure('unreachable', `Cannot reach the console server. Is ${command} still running?`);
}

// A new link that is opened in this tab changes the fragment only.
addEventListener('hashchange', () => {
  if (TOKEN.test(location.hash)) location.reload();
});

function takeToken(): string {
  const given = TOKEN.exec(location.hash)?.[1];
  if (given) {
    sessionStorage.setItem('token', decodeURIComponent(given));
    history.replaceState(null, '', location.pathname);
  }
  return sessionStorage.getItem('token') ?? localStorage.getItem('token') ?? '';
}
