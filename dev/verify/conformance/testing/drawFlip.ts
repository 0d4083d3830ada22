import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { repositoryRoot } from '../../../../infra/repository.ts';
import { freePort } from '../../../support/freePort.ts';
import { ofRepository, RunningProcess } from '../../../support/runningProcess.ts';

/* Draws docs/images/flip.svg: a flip on `npm start`, as the command line prints it, and as FeatBit's SDKs receive it. Where
 * nothing moves, the picture shows the end. */

const require = createRequire(import.meta.url);
const COLUMNS = 96;
const FLAG = 'new-checkout';

const data = mkdtempSync(join(tmpdir(), 'flagwire-flip-'));
const port = await freePort();
const service = new RunningProcess(ofRepository('dev/local/main.ts', ['--port', String(port), '--data', data]));
try {
  await service.printed('Flip the flag');
  await run('off', FLAG);
  const { client, server } = JSON.parse(readFileSync(join(data, 'keys.json'), 'utf8'));
  const sdks = [await startNodeSdk(server), await startNodeSdk(server), await startBrowserSdk(client)];
  const before = await Promise.all(sdks.map(({ value }) => value()));
  const printed = await run('on', FLAG, '--wait');
  const after = await Promise.all(sdks.map(({ value }) => value()));
  for (const { client } of sdks) await client.close();
  writeFileSync(join(repositoryRoot, 'docs/images/flip.svg'), draw(printed, before, after));
} finally {
  await service.stop('SIGINT');
  rmSync(data, { recursive: true });
}

/** A FeatBit SDK, as its package says; Node loads only the CommonJS form of the one for browsers. */
function load(name: string, key: string) {
  const { FbClientBuilder, UserBuilder } = require(name);
  const builder = new FbClientBuilder().sdkKey(key).streamingUri(`ws://127.0.0.1:${port}`);
  return { builder: builder.eventsUri(`http://127.0.0.1:${port}`), user: new UserBuilder('u1').name('u1').build() };
}

async function startNodeSdk(key: string) {
  const { builder, user } = load('@featbit/node-server-sdk', key);
  const client = builder.build();
  await client.waitForInitialization();
  return { client, value: (): Promise<string> => client.stringVariation(FLAG, user, 'none') };
}

async function startBrowserSdk(key: string) {
  // Of a browser, Node lacks only this.
  const localStorage = { getItem: () => null, setItem() {}, removeItem() {} };
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, value: localStorage });
  const { builder, user } = load('@featbit/js-client-sdk', key);
  const client = builder.user(user).build();
  await client.waitForInitialization();
  return { client, value: async () => String(await client.variation(FLAG, 'none')) };
}

/** Runs a command of the command line. @returns what it prints */
async function run(...args: string[]): Promise<string> {
  const command = new RunningProcess(ofRepository('cli/main.ts', [...args, '--data', data]), { stderr: 'inherit' });
  if ((await command.ended) !== 0) throw new Error(`${args.join(' ')} failed: ${command.output}`);
  return command.output.trimEnd();
}

function draw(printed: string, [, before]: string[], [, after]: string[]): string {
  const lines = printed.split('\n').flatMap((line) => line.match(new RegExp(`.{1,${COLUMNS}}(?: |$)`, 'g')) ?? []);
  const text = (line: string, n: number) => `<text class="ok out" x="14" y="${84 + 22 * n}">${escaped(line)}</text>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 820 340" role="img" aria-label="A command turns on a flag. A connected server and a browser then have the new value">
<style>
text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:#e6e8ed}.m{fill:#8b949e}.u{font:600 13px system-ui,sans-serif;fill:#8b949e}.big{font:700 56px system-ui,sans-serif}
.cmd{animation:cmd 8s infinite}.ok{animation:ok 8s infinite}.off{animation:off 8s infinite;opacity:0}.bg{animation:bg 8s infinite}
@keyframes cmd{0%,18%{opacity:0}20%,97%{opacity:1}100%{opacity:0}}
@keyframes ok{0%,39%{opacity:0}40%,97%{opacity:1}100%{opacity:0}}
@keyframes off{0%,39%{opacity:1}40%,97%{opacity:0}100%{opacity:1}}
@keyframes bg{0%,39%{fill:#3a1f1d}40%,97%{fill:#17633a}100%{fill:#3a1f1d}}
@media (prefers-reduced-motion:reduce){.cmd,.ok,.off,.bg{animation:none}}
</style>
<rect width="820" height="340" rx="12" fill="#0d1117"/>
<g transform="translate(20 20)"><rect width="780" height="160" rx="8" fill="#161b22"/><text class="u" x="14" y="26">your terminal</text>
<text class="cmd" x="14" y="58"><tspan class="m">$</tspan> flags on ${FLAG} --wait</text>
${lines.map(text).join('\n')}</g>
<g transform="translate(20 200)"><rect width="380" height="120" rx="8" fill="#161b22"/><text class="u" x="14" y="26">your servers · @featbit/node-server-sdk</text>
<text x="14" y="62"><tspan class="m">${FLAG}</tspan> ${before}</text><text class="ok" x="14" y="88"><tspan class="m">${FLAG}</tspan> ${after}</text></g>
<g transform="translate(420 200)"><rect class="bg" width="380" height="120" rx="8" fill="#17633a"/><text class="u" x="14" y="26">your users’ browsers · @featbit/js-client-sdk</text>
<text class="big off" x="190" y="92" text-anchor="middle">${before}</text><text class="big ok" x="190" y="92" text-anchor="middle">${after}</text></g>
</svg>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
