import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { getRequestListener } from '@hono/node-server';
import { PAGE_PATH } from '../../console/api.ts';
import { buildPage } from '../../console/page/build.ts';
import { createConsole } from '../../console/server/app.ts';
import { newToken } from '../../console/server/guard.ts';
import { TrafficFeed } from '../../console/server/trafficFeed.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { findAuthor } from '../../shared/command/author.ts';
import { readAlarms } from '../../shared/runtime/alarms.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { openStore } from '../../shared/store/store.ts';
import { createDynamoDb } from '../../shared/store/table.ts';
import type { LocalStack } from '../emulator/emulator.ts';
import { isLoopback, LOOPBACK, type OwnRequests } from '../emulator/listen.ts';
import { ownPageOf, pathOf } from './ownPages.ts';
import type { LocalKeys } from './seed.ts';
import type { TellTraffic } from './trafficEvents.ts';

/** How long a one-time URL works, in milliseconds: a browser may have to start first. */
const TICKET_MS = 60_000;

/** The console of `npm start`. */
export interface LocalConsole {
  /** Its URL with the token. */
  readonly url: string;
  /** Takes what passes through the gateway. */
  readonly tell: TellTraffic;
  /** Answers requests for the console. */
  readonly serve: OwnRequests;
  /**
   * A URL that leads to the console once, within a minute, from this machine. Other users of this machine see the command lines of
   * processes, so it holds no token.
   */
  openOnceUrl(): string;
  close(): void;
}

/** @param keys which this machine keeps, and so can show @param token opens the console */
export function openLocalConsole(stack: LocalStack, keys: LocalKeys, token: string): LocalConsole {
  const { dynamoDbEndpoint, tables, httpUrl, streamingUrl, environment } = stack;
  const opened = { client: createDynamoDb({ endpoint: dynamoDbEndpoint }), ...tables };
  const store = openStore(opened, systemEffects);
  const cloudWatch = new CloudWatchClient();
  const author = findAuthor('', false);
  const feed = new TrafficFeed(store);
  const tickets = new Map<string, number>();
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
      readGuards: (names) => readAlarms(cloudWatch, names),
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
      if (ownPageOf(request) !== 'console') return false;
      const path = pathOf(request);
      const until = tickets.get(path) ?? 0;
      tickets.delete(path);
      if (systemEffects.now() < until && isLoopback(request.socket.remoteAddress?.replace(/^::ffff:/, '') ?? '')) {
        response.writeHead(302, { Location: `${PAGE_PATH}#token=${token}`, 'Cache-Control': 'no-store' }).end();
      } else {
        void listener(request, response);
      }
      return true;
    },
    openOnceUrl: () => {
      const path = `${PAGE_PATH}open/${newToken()}`;
      tickets.set(path, systemEffects.now() + TICKET_MS);
      return `${httpUrl}${path}`;
    },
    close: () => {
      close();
      cloudWatch.destroy();
      store.close();
    },
  };
}
