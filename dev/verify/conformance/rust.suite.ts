import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { referenceDocuments } from '../../../shared/reference-data/documents.ts';
import { rustProgram } from '../../support/tools/rust.ts';
import { answersOf, measuredAnswers, PROGRAMS } from './clients/conditions.ts';
import { DrivenSdk } from './clients/lineProcess.ts';
import { type EmulatedHost, type EmulatedStack, startHost, startStack } from './emulated.ts';
import type { GetTarget } from './target.ts';
import { flagDocuments, simpleFlag, Workspace } from './workspace.ts';

/** A machine that has built nothing in Rust yet builds the SDK first, with some 200 libraries. */
jest.setTimeout(600_000);

const SEGMENT = '556c11b2-f08a-4e10-b0b7-af8e008125b3';
/** More flags than fit into a message of API Gateway. */
const MANY = 400;

describe('on the gateway', () => {
  let stack: EmulatedStack;
  beforeAll(async () => {
    stack = await startStack();
  });
  afterAll(() => stack.close());

  rustSdkCases(() => stack);
});

describe('on a host', () => {
  let host: EmulatedHost;
  beforeAll(async () => {
    host = await startHost();
  });
  afterAll(() => host.close());

  rustSdkCases(() => host);
});

test('conditions in the Rust SDK have the measured results', async () => {
  expect(await answersOf(await PROGRAMS.Rust())).toEqual(measuredAnswers('Rust'));
});

/** FeatBit's published Rust SDK. */
function rustSdkCases(target: GetTarget): void {
  describe('the Rust SDK', () => {
    test('starts, follows changes on one connection, and comes back for what it missed', async () => {
      const workspace = await Workspace.create(target());
      const proxy = await proxyTo(target().streamingUrl);
      const streamingUrl = `ws://127.0.0.1:${proxy.port}`;
      const sdk = await startRustSdk({ ...workspace, target: { ...target(), streamingUrl } });
      const flags = referenceDocuments().filter(({ kind }) => kind === 'flag').length;
      await sdk.becomes('returns-true', 'true', flags);
      await sdk.becomes('custom-rule-with-segment', 'true', flags);
      await workspace.toggle('returns-true');
      await sdk.becomes('returns-true', 'false', flags);
      await workspace.segment(SEGMENT, { included: ['u1'] });
      await sdk.becomes('custom-rule-with-segment', 'false', flags);
      await workspace.flag('brand-new', {});
      expect((await sdk.becomes('brand-new', 'true', flags + 1)).connections).toBe(1);

      proxy.cut();
      await workspace.toggle('returns-true');
      await workspace.flag('brand-new', { isArchived: true });
      expect((await sdk.becomes('returns-true', 'true', flags)).connections).toBe(2);
      sdk.close();
      proxy.close();
    });

    test('gets an environment larger than a message without connecting twice, and follows changes', async () => {
      const flags = Array.from({ length: MANY }, (_, n) => simpleFlag(`flag-${n}`));
      const workspace = await Workspace.create(target(), flagDocuments(...flags));
      const sdk = await startRustSdk(workspace);
      const last = `flag-${MANY - 1}`;
      await sdk.becomes(last, 'true', MANY);
      await workspace.toggle(last);
      expect((await sdk.becomes(last, 'false', MANY)).connections).toBe(1);
      sdk.close();
    });
  });
}

/**
 * Starts FeatBit's Rust server SDK, as published on crates.io. It is built on first use.
 *
 * @throws {Error} when it cannot be built
 */
async function startRustSdk({ target, serverKey }: Pick<Workspace, 'target' | 'serverKey'>): Promise<DrivenSdk> {
  const directory = join(import.meta.dirname, 'clients/rust');
  const program = await rustProgram(directory, (line) => process.stderr.write(`conformance: ${line}\n`));
  return new DrivenSdk('FeatBit’s Rust SDK', program, [target.streamingUrl, target.httpUrl, serverKey]);
}

/** Starts a TCP proxy of a server. `cut` ends its connections without a close frame, and new ones work. */
async function proxyTo(url: string) {
  const { port, hostname } = new URL(url);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const socket of [near, far]) open.add(socket.on('close', () => open.delete(socket)));
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const)
      pipeline(from, to, () => {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const cut = () => {
    for (const socket of open) socket.destroy();
  };
  const close = () => {
    server.close();
    cut();
  };
  return { port: (server.address() as AddressInfo).port, cut, close };
}
