import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { entryMetadata } from '../../../infra/constructs/lambdaEntry.ts';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { until } from '../../../shared/testing/until.ts';
import { RawSocket } from '../../support/rawSocket.ts';
import { failNext, faultsLeft } from '../faults/testing/faults.ts';
import { BrowserSdk, forgetBrowserStorage } from './clients/browserSdk.ts';
import { NodeSdk } from './clients/nodeSdk.ts';
import { type EmulatedStack, startStack } from './emulated.ts';
import { AheadClock } from './testing/aheadClock.ts';
import { Workspace } from './workspace.ts';

jest.setTimeout(60_000);

let clock: AheadClock;
let stack: EmulatedStack;

beforeAll(async () => {
  clock = new AheadClock();
  stack = await startStack(templatesThatLose(), { clock });
});
afterAll(async () => {
  await stack.close();
  clock.release();
});
beforeEach(forgetBrowserStorage);

/** The stacks' templates, with a function that loses data-syncs when it is told to in the place of the one that answers. */
function templatesThatLose() {
  const templates = synthesizedTemplates();
  for (const { Resources } of Object.values(templates)) {
    for (const { Metadata, Properties = {} } of Object.values(Resources)) {
      if (Metadata?.[entryMetadata] !== 'functions/lambda/sync.ts') continue;
      Object.assign(Metadata, { [entryMetadata]: 'dev/verify/faults/testing/functions.ts' });
      Object.assign(Properties, { Handler: 'index.sync' });
    }
  }
  return templates;
}

/** Starts something whose first data-sync is lost; AWS accepts again a moment later, and a minute goes by. */
async function loseFirst<T>(start: () => Promise<T>): Promise<T> {
  failNext('sync', 'crash');
  const started = start();
  await until(() => faultsLeft('sync') === 0);
  await clock.pass(60_000);
  return started;
}

describe('an SDK whose first data-sync is lost', () => {
  test('on a server has its flags within a minute, on the connection it has, and follows changes', async () => {
    const workspace = await Workspace.create(stack);
    const sdk = await loseFirst(() => NodeSdk.start(workspace));
    expect(await sdk.value('returns-true')).toBe('true');
    await workspace.toggle('returns-true');
    await sdk.becomes('returns-true', 'false');
    await sdk.close();
  });

  test('in a browser is ended, comes back, has its user’s flags, and follows changes', async () => {
    const workspace = await Workspace.create(stack);
    const sdk = await loseFirst(() => BrowserSdk.start(workspace, 'false-1'));
    expect(await sdk.value('individual-targeting')).toBe('false');
    await workspace.toggle('returns-true');
    await sdk.becomes('returns-true', 'false');
    await sdk.close();
  });
});

test('a connection that has its answer is never touched', async () => {
  const workspace = await Workspace.create(stack);
  const sockets = await Promise.all([RawSocket.open(workspace.url('server')), RawSocket.open(workspace.url('client'))]);
  for (const socket of sockets) await socket.sync({ timestamp: 0, user: { keyId: 'u1' } });
  await clock.pass(120_000);
  for (const socket of sockets) await socket.expectSilence();
  expect(sockets.map(({ isOpen }) => isOpen)).toEqual([true, true]);
  for (const socket of sockets) await socket.close();
});
