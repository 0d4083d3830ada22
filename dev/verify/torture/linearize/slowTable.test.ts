import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { until } from '../../../../shared/testing/until.ts';
import { Random } from '../random.ts';
import { SlowTable } from './slowTable.ts';

let table: Server;
let slowTable: SlowTable;
let address: string;
let delayMs: number;
beforeEach(async () => {
  delayMs = 0;
  table = createServer(async (request, response) => {
    await sleep(delayMs);
    response.writeHead(400, { 'x-crc': '7' });
    request.pipe(response);
  });
  table.listen(0, '127.0.0.1');
  await once(table, 'listening');
  slowTable = new SlowTable(new Random(1));
  address = await slowTable.open(`http://127.0.0.1:${(table.address() as AddressInfo).port}`);
});
afterEach(() => {
  slowTable.close();
  table.close();
  table.closeAllConnections();
});

const ask = async () => {
  const from = performance.now();
  const response = await fetch(address, { method: 'POST', body: 'a question' });
  return {
    from,
    to: performance.now(),
    status: response.status,
    crc: response.headers.get('x-crc'),
    body: await response.text(),
  };
};

test('it passes on what is asked and what is answered', async () => {
  expect(await ask()).toMatchObject({ status: 400, crc: '7', body: 'a question' });
});

test('it tells when the table itself was slow, also while that is still so', async () => {
  const fast = await ask();
  delayMs = 1_500;
  const asking = ask();
  await until(() => slowTable.wasSlow(performance.now() - 10, performance.now()));
  const slow = await asking;
  expect(slowTable.wasSlow(slow.from, slow.to)).toBe(true);
  expect(slowTable.wasSlow(fast.from, fast.to)).toBe(false);
  expect(slowTable.spells).toBe(0);
});
