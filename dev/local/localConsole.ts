import type { IncomingMessage, ServerResponse } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { PAGE_PATH } from '../../console/api.ts';
import { buildPage } from '../../console/page/build.ts';
import { createConsole } from '../../console/server/app.ts';
import { newToken } from '../../console/server/guard.ts';
import { TrafficFeed } from '../../console/server/trafficFeed.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { findAuthor } from '../../shared/command/author.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { openStore } from '../../shared/store/store.ts';
import { createDynamoDb } from '../../shared/store/table.ts';
import type { LocalStack } from '../emulator/emulator.ts';
import { LOOPBACK } from '../emulator/listen.ts';
import type { LocalKeys } from './seed.ts';
import type { TellTraffic } from './trafficEvents.ts';

/** The console of what runs here. */
export interface LocalConsole {
  /** What opens it, with its token. */
  readonly url: string;
  /** Takes what passes. */
  readonly tell: TellTraffic;
  /** Answers a request that is the console's, or a browser's for the bare address; says whether it was one. */
  serve(request: IncomingMessage, response: ServerResponse): boolean;
  close(): void;
}

/** @param keys which this machine keeps, and so can show */
export function openLocalConsole(stack: LocalStack, keys: LocalKeys): LocalConsole {
  const { dynamoDbEndpoint, tables, httpUrl, streamingUrl, environment } = stack;
  const opened = { client: createDynamoDb({ endpoint: dynamoDbEndpoint }), ...tables };
  const store = openStore(opened, systemEffects);
  const author = findAuthor('', false);
  const feed = new TrafficFeed(store);
  const token = newToken();
  const { app, close } = createConsole({
    consoleContext: {
      tables: opened,
      effects: systemEffects,
      context: {
        version: packageJson.version,
        mode: 'local',
        table: tables.flags,
        region: environment['AWS_REGION'] ?? '',
        streamingUrl,
        httpUrl,
      },
      by: async () => (await author).by,
      keptSecrets: Object.values(keys),
    },
    token,
    buildPage,
    live: feed,
    log: console.error,
  });
  const listener = getRequestListener(app.fetch, { hostname: LOOPBACK });
  return {
    url: `${httpUrl}${PAGE_PATH}#token=${token}`,
    tell: (event, environments) => feed.tell(event, environments),
    serve: (request, response) => {
      const [path = ''] = (request.url ?? '/').split('?');
      const isOwn = path === PAGE_PATH.slice(0, -1) || path.startsWith(PAGE_PATH);
      if (!isOwn && !(path === '/' && isBrowser(request))) return false;
      void listener(request, response);
      return true;
    },
    close: () => {
      close();
      store.close();
    },
  };
}

/** Somebody who opens the address to look at it; no SDK asks for a page. */
function isBrowser({ method, headers }: IncomingMessage): boolean {
  return method === 'GET' && /\btext\/html\b/.test(headers.accept ?? '');
}
