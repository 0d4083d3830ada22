import { setTimeout as sleep } from 'node:timers/promises';
import { QueryCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { synthesizedTemplates } from '../../../infra/testing/synthesizedTemplates.ts';
import { dueRevocationKey } from '../../../shared/store/table/keys.ts';
import { createDynamoDb } from '../../../shared/store/table/table.ts';
import { until } from '../../../shared/testing/until.ts';
import { RawSocket } from '../../support/rawSocket.ts';
import { type EmulatedStack, startStack } from './emulated.ts';
import { AheadClock } from './testing/aheadClock.ts';
import { Workspace } from './workspace.ts';

jest.setTimeout(60_000);

const QUARTER_MS = 15 * 60_000;
const HOURS = 6;

let clock: AheadClock;
let stack: EmulatedStack;
const log: string[] = [];

beforeAll(async () => {
  clock = new AheadClock();
  stack = await startStack(synthesizedTemplates(), { clock, log: (line) => log.push(line) });
});
afterAll(async () => {
  await stack.close();
  clock.release();
});

/** Passes that the function revoke has stored. */
async function countStored(): Promise<number | undefined> {
  const TableName = stack.tables.connections;
  const values = { ':pk': dueRevocationKey(0, '', '').pk };
  const query = { TableName, KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: values };
  return (await createDynamoDb().send(new QueryCommand(query))).Count;
}

test('a key that is rotated with six hours ends its connections then, and no loop is detected', async () => {
  const workspace = await Workspace.create(stack);
  // Over 16 quarters, at which Lambda detects a loop.
  await workspace.rotate('server', HOURS * 3_600_000);
  // Each jump ends the calls that are at work.
  await until(countStored);
  for (let quarter = 1; quarter < 4 * HOURS; quarter++) {
    await sleep(50);
    clock.jump(QUARTER_MS);
  }
  clock.jump(9 * 60_000);
  const socket = await RawSocket.open(workspace.url('server'));
  await socket.sync({ timestamp: 0 });
  clock.jump(5 * 60_000);
  await sleep(50);
  expect(socket.isOpen).toBe(true);
  for (let minute = 0; minute < 10 && socket.isOpen; minute++) await clock.pass(60_000);
  expect((await socket.closed).code).toBe(1000);
  expect(log.filter((line) => line.includes('recursive loop'))).toEqual([]);
});
