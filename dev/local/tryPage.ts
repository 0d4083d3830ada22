import type { IncomingMessage } from 'node:http';
import { renderSVG } from 'uqr';
import { envIdOfSecret } from '../../shared/protocol/secret.ts';
import { ownCommand } from '../../shared/runtime/ownCommand.ts';
import { type OwnRequests, pathOf } from '../emulator/listen.ts';
import { ownPageOf, sendPage, TRY_PATH } from './ownPages.ts';
import { bundleSdk, tryPageHtml } from './tryFiles.ts';

const SDK_PATH = `${TRY_PATH}/sdk.js`;

/**
 * Serves `/try`: a page on which FeatBit's JavaScript SDK shows a flag as it changes, with a QR code for phones. Its button flips the
 * flag through the console's API. The page does not contain the token for it.
 *
 * @param clientKey which browsers can read, as every client key
 * @param networkUrl the page's URL for other devices; undefined where they cannot reach it
 * @param flagKey the flag that it shows, unless its address names another
 */
export function openTryPage(clientKey: string, networkUrl: string | undefined, flagKey: string): OwnRequests {
  const html = tryPageHtml();
  const settings = { clientKey, environment: envIdOfSecret(clientKey), flagKey };
  let sdk: Promise<Uint8Array> | undefined;
  return (request, response) => {
    if (ownPageOf(request) !== 'try') return false;
    const path = pathOf(request);
    if (path === TRY_PATH) {
      const page = html
        .replace('id="settings">', `id="settings">${JSON.stringify(settings)}`)
        .replace('<!-- phone -->', phoneHtml(networkUrl && `${networkUrl}${flagQuery(request)}`));
      const { host } = request.headers;
      sendPage(response, 200, page, { scripts: ["'self'"], connect: ["'self'", `ws://${host}`, `wss://${host}`] });
    } else if (path === SDK_PATH) {
      sdk ??= bundleSdk();
      sdk.then(
        (script) => response.writeHead(200, { 'Content-Type': 'text/javascript; charset=utf-8' }).end(script),
        (error) => {
          // The next request tries again.
          sdk = undefined;
          console.error(`/try: the SDK could not be bundled: ${(error as Error).message}`);
          response.writeHead(500).end('The SDK could not be bundled.');
        },
      );
    } else {
      response.writeHead(404).end('There is no such file.');
    }
    return true;
  };
}

/** The query of the same flag; none where the request names no valid key. */
function flagQuery({ url = '' }: IncomingMessage): string {
  return /\?flag=[\w.-]{1,128}$/.exec(url)?.[0] ?? '';
}

function phoneHtml(url: string | undefined): string {
  if (url === undefined) return `<p>To open it on a phone: <code>${ownCommand('start', '--host 0.0.0.0')}</code></p>`;
  return `${renderSVG(url, { border: 2 })}<p><a href="${url}">${url}</a></p>`;
}
