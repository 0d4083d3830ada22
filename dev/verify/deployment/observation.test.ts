import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { type EmulatedStack, startStack } from '../conformance/emulated.ts';
import { Workspace } from '../conformance/workspace.ts';
import type { Access } from './access.ts';
import { OBSERVATIONS } from './observations.ts';
import { observe } from './report.ts';

// Each question has a time limit of its own.
jest.setTimeout(180_000);

let stack: EmulatedStack;
let workspace: Workspace;
let access: Access;

beforeAll(async () => {
  stack = await startStack();
  workspace = await Workspace.create(stack);
  access = { ...stack, clientKey: workspace.clientKey };
});
afterAll(() => stack.close());

test('the emulator answers every question as promised', async () => {
  const asked: string[] = [];
  const findings = await observe(OBSERVATIONS, access, workspace, (question) => asked.push(question));
  // The reader judges times.
  expect(findings.filter(({ isPromised }) => !isPromised)).toEqual([
    { question: expect.stringMatching(/^a data-sync of the client: /), answer: expect.any(String) },
    { question: expect.stringMatching(/^from a write to its push, /), answer: expect.any(String) },
  ]);
  expect(findings.map(({ question }) => question)).toEqual(asked);
});

test('a key that nobody knows, and a service that is not there, are findings and not the end', async () => {
  const wrong = { ...access, clientKey: access.clientKey.replace(/^.{22}/, 'A'.repeat(22)) };
  const [refused, ...others] = await observe(OBSERVATIONS.slice(0, 3), wrong, workspace, () => {});
  expect(refused).toMatchObject({ answer: expect.stringMatching(/^403 /), isPromised: false });
  for (const { answer } of others) expect(answer).toBe('failed: the handshake was refused with 403');
  const nowhere = { ...access, streamingUrl: 'ws://127.0.0.1:1' };
  const [unreachable] = await observe(OBSERVATIONS.slice(0, 1), nowhere, workspace, () => {});
  expect(unreachable).toMatchObject({ answer: expect.stringContaining('ECONNREFUSED'), isPromised: false });
});
