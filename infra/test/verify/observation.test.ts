import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { openStore } from '../../../shared/store/store.ts';
import { createDynamoDb } from '../../../shared/store/table.ts';
import { synthesizeTemplates } from '../../cdk/inProcess.ts';
import { type LocalStack, startLocal } from '../../emulator/emulator.ts';
import { Workspace } from '../conformance/workspace.ts';
import type { Access } from './access.ts';
import { observe } from './observation.ts';
import { OBSERVATIONS } from './observations.ts';

jest.setTimeout(60_000);

let stack: LocalStack;
let client: DynamoDBClient;
let workspace: Workspace;
let access: Access;

beforeAll(async () => {
  process.env['POWERTOOLS_LOG_LEVEL'] ??= 'SILENT';
  stack = await startLocal({ templates: synthesizeTemplates(), log: () => undefined });
  client = createDynamoDb();
  workspace = await Workspace.create({ ...stack, store: openStore({ client, ...stack.tables }) });
  access = { ...stack, clientKey: workspace.clientKey, serverKey: workspace.serverKey };
});
afterAll(async () => {
  client.destroy();
  await stack.close();
});

test('the emulator answers every question as promised', async () => {
  const asked: string[] = [];
  const findings = await observe(OBSERVATIONS, access, workspace, (question) => asked.push(question));
  expect(findings.filter(({ isPromised }) => !isPromised)).toEqual([]);
  expect(findings.map(({ question }) => question)).toEqual(asked);
});

test('what would be written is left out where there is only something to read', async () => {
  const findings = await observe(OBSERVATIONS.slice(-2), access, undefined, () => {});
  expect(findings).toEqual([]);
});

test('a key that nobody knows, and a service that is not there, are findings and not the end', async () => {
  const wrong = { ...access, clientKey: access.clientKey.replace(/^.{22}/, 'A'.repeat(22)) };
  const [refused, ...others] = await observe(OBSERVATIONS.slice(0, 3), wrong, undefined, () => {});
  expect(refused).toMatchObject({ answer: expect.stringMatching(/^403 /), isPromised: false });
  for (const { answer } of others) expect(answer).toBe('failed: the handshake was refused with 403');
  const nowhere = { ...access, streamingUrl: 'ws://127.0.0.1:1' };
  const [unreachable] = await observe(OBSERVATIONS.slice(0, 1), nowhere, undefined, () => {});
  expect(unreachable).toMatchObject({ answer: expect.stringContaining('ECONNREFUSED'), isPromised: false });
});
