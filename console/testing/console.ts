import type { HttpBindings } from '@hono/node-server';
import type { Effects } from '../../shared/runtime/effects.ts';
import { openStore } from '../../shared/store/store.ts';
import { database } from '../../shared/store/testing/testStore.ts';
import { type Intercept, type TestStore, testSystemEffects } from '../../shared/store/testing/testTables.ts';
import { API_PATH, TOKEN_HEADER } from '../api.ts';
import type { LiveLine } from '../live.ts';
import { type Console, createConsole } from '../server/app.ts';
import type { ConsoleContext } from '../server/consoleContext.ts';
import { localAccess } from '../server/guard.ts';
import type { LiveSource } from '../server/liveStream.ts';

export const TOKEN = 'the-token';
export const HOST = '127.0.0.1:5100';

/** A page of three files that needs no build. */
const PAGE = {
  html: '<!doctype html><script src="main-1.js"></script>',
  assets: new Map([['main-1.js', { type: 'text/javascript', body: Buffer.from(`// ${'script '.repeat(300)}`) }]]),
};

/** A live source that the test controls. */
export class FedSource implements LiveSource {
  readonly followers = new Map<(line: LiveLine) => void, string>();

  follow(envId: string, tell: (line: LiveLine) => void): () => void {
    this.followers.set(tell, envId);
    return () => this.followers.delete(tell);
  }

  tell(line: LiveLine): void {
    for (const tell of this.followers.keys()) tell(line);
  }
}

/** An answer with status, `Retry-After` and JSON. */
interface Answer {
  readonly status: number;
  readonly retryAfter?: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every kind.
  readonly json: any;
}

/** A console with its own tables, without a socket. */
export interface TestConsole extends Console {
  readonly store: TestStore;
  readonly live: FedSource;
  readonly logged: string[];
  /** Sends a request with the headers of the page. `undefined` removes a header. */
  request(
    path: string,
    options?: {
      readonly method?: string;
      readonly body?: string | ReadableStream;
      readonly headers?: Readonly<Record<string, string | undefined>>;
      readonly address?: string;
    },
  ): Promise<Response>;
  /** Sends an API request: `PUT environments/…`. */
  call(request: string, body?: unknown): Promise<Answer>;
}

/** @param intercept wraps requests to the table of `useTables` */
export function aConsole({
  effects = testSystemEffects,
  intercept,
  readAlarms,
  readGuards = async () => [],
}: {
  readonly effects?: Effects;
  readonly intercept?: Intercept;
} & Partial<Pick<ConsoleContext, 'readAlarms' | 'readGuards'>> = {}): TestConsole {
  const { tables } = database.open(effects, intercept);
  const store = { ...openStore(database.open(effects).tables, effects), tables };
  const live = new FedSource();
  const logged: string[] = [];
  const made = createConsole({
    access: localAccess(
      {
        tables,
        effects,
        context: {
          version: '1.2.3',
          mode: 'local',
          table: tables.flags,
          region: 'us-east-1',
          streamingUrl: 'ws://sdk',
        },
        author: async () => ({ by: 'ann@laptop' }),
        keptSecrets: [],
        readGuards,
        ...(readAlarms ? { readAlarms } : {}),
      },
      TOKEN,
    ),
    buildPage: async () => PAGE,
    live,
    log: (line) => logged.push(line),
  });
  const request: TestConsole['request'] = async (
    path,
    { method = 'GET', body, headers = {}, address = '127.0.0.1' } = {},
  ) => {
    const asked: Record<string, string | undefined> = {
      host: HOST,
      [TOKEN_HEADER]: TOKEN,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const said = Object.entries(asked).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const init = { method, headers: said, ...(body === undefined ? {} : { body, duplex: 'half' as const }) };
    const env = { incoming: { socket: { remoteAddress: address } } } as unknown as HttpBindings;
    return made.app.request(path, init, env);
  };
  return {
    ...made,
    store,
    live,
    logged,
    request,
    call: async (asked, body) => {
      const [method = '', path = ''] = asked.split(' ');
      const text = body === undefined ? {} : { body: JSON.stringify(body) };
      const response = await request(`${API_PATH}${path}`, { method, ...text });
      const retryAfter = response.headers.get('retry-after');
      return { status: response.status, ...(retryAfter === null ? {} : { retryAfter }), json: await response.json() };
    },
  };
}
