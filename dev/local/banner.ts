import { snippetFor } from '../../console/page/logic/snippets.ts';
import { DATA_FOLDER } from '../../shared/runtime/announcement.ts';
import type { LocalStack } from '../emulator/emulator.ts';
import { describeAccount } from './account.ts';
import type { LocalKeys } from './seed.ts';

/**
 * What a new user needs to see a flag change, in less than a screen: the console with its token, addresses, what the played account lets pass, keys, a snippet for each kind of SDK,
 * and the command that flips a flag.
 */
export function banner(
  { aws, streamingUrl, httpUrl }: LocalStack,
  keys: LocalKeys,
  data: string,
  consoleUrl: string,
): string {
  const nodeSnippet = snippetFor('Node', {
    streamingUrl,
    httpUrl,
    clientKey: keys.client,
    serverKey: keys.server,
    flagKey: 'returns-true',
    flagType: 'boolean',
  });
  const dataOption = data === DATA_FOLDER ? '' : ` --data ${data}`;
  return `
Flagwire is running. Ctrl-C stops it.

  console     ${consoleUrl}
  streaming   ${streamingUrl}
  HTTP        ${httpUrl}
  AWS         ${aws.name}: ${describeAccount(aws)}
  client key  ${keys.client}
  server key  ${keys.server}

Node SDK: save in this folder as flag.mjs, then: node flag.mjs

${nodeSnippet.code.replaceAll(/^/gm, '  ')}

Browser SDK: save in this folder as flag.html, then open it

  <h1>…</h1><script src="node_modules/@featbit/js-client-sdk/dist/umd/featbit-js-client-sdk.js"></script><script>
  const client = new FbClientBuilder().sdkKey('${keys.client}').streamingUri('${streamingUrl}')
    .eventsUri('${httpUrl}').user(new UserBuilder('u1').name('u1').build()).build();
  const show = async () => document.querySelector('h1').textContent = await client.boolVariation('returns-true', false);
  client.on('update', show); client.waitForInitialization().then(show);
  </script>

Flip the flag, and watch both:

  npm run flags -- toggle returns-true${dataOption}
`;
}
