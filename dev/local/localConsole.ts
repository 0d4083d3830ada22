import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { CloudWatchClient } from '@aws-sdk/client-cloudwatch';
import { getRequestListener } from '@hono/node-server';
import { PAGE_PATH } from '../../console/api.ts';
import { buildPage } from '../../console/page/build.ts';
import { createConsole } from '../../console/server/app.ts';
import { localAccess, newToken } from '../../console/server/guard.ts';
import { TrafficFeed } from '../../console/server/trafficFeed.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { findAuthor } from '../../shared/command/author.ts';
import { envIdOfSecret } from '../../shared/protocol/secret.ts';
import { readAlarms } from '../../shared/runtime/alarms.ts';
import { systemEffects } from '../../shared/runtime/effects.ts';
import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { openStore } from '../../shared/store/store.ts';
import { createDynamoDb } from '../../shared/store/table/table.ts';
import type { LocalStack } from '../emulator/emulator.ts';
import { LOOPBACK } from '../emulator/listen.ts';
import { writePrivate } from './announcement.ts';
import { ownPageOf } from './ownPages.ts';
import type { LocalKeys } from './seed.ts';
import type { TellTraffic } from './trafficEvents.ts';

/** The console of `npm start`. */
export type LocalConsole = ReturnType<typeof openLocalConsole>;

/** @param sdkUrls addresses for SDKs @param keys which this machine keeps, and so can show @param token opens the console */
export function openLocalConsole(
  stack: LocalStack,
  sdkUrls: Pick<LocalStack, 'streamingUrl' | 'httpUrl'>,
  keys: LocalKeys,
  token: string,
) {
  const { dynamoDbEndpoint, tables, httpUrl, environment } = stack;
  const opened = { client: createDynamoDb({ endpoint: dynamoDbEndpoint }), ...tables };
  const store = openStore(opened, systemEffects);
  const cloudWatch = new CloudWatchClient();
  const author = findAuthor('', false);
  const feed = new TrafficFeed(store);
  const { app, close } = createConsole({
    access: localAccess(
      {
        tables: opened,
        effects: systemEffects,
        context: {
          version: packageJson.version,
          mode: 'local',
          table: tables.flags,
          region: environment['AWS_REGION'] ?? '',
          streamingUrl: sdkUrls.streamingUrl,
          httpUrl: sdkUrls.httpUrl,
          ...omitUndefined({ defaultEnvironment: envIdOfSecret(keys.client) }),
        },
        author: () => author,
        readGuards: (names) => readAlarms(cloudWatch, names),
        keptSecrets: Object.values(keys).flat(),
      },
      token,
    ),
    buildPage,
    live: feed,
    log: console.error,
  });
  const listener = getRequestListener(app.fetch, { hostname: LOOPBACK });
  return {
    /** Its URL with the token. */
    url: `${httpUrl}${PAGE_PATH}#token=${token}`,
    /** Takes what passes through the gateway. */
    tell: ((event, environments) => feed.tell(event, environments)) satisfies TellTraffic,
    /** Answers requests for the console. */
    serve: (request: IncomingMessage, response: ServerResponse) => {
      if (ownPageOf(request) !== 'console') return false;
      void listener(request, response);
      return true;
    },
    close: () => {
      close();
      cloudWatch.destroy();
      store.close();
    },
  };
}

/** The console's token of a data directory: the one of the last start, so that open tabs and bookmarks stay valid. */
export function keepToken(dataDir: string): string {
  const path = join(dataDir, 'console.json');
  const token = readToken(path) ?? newToken();
  writePrivate(path, { token });
  return token;
}

function readToken(path: string): string | undefined {
  try {
    const { token } = JSON.parse(readFileSync(path, 'utf8'));
    // Nothing shorter than a new one, which could be guessed.
    return typeof token === 'string' && /^[\w-]{43}$/.test(token) ? token : undefined;
  } catch {
    return undefined;
  }
}
