import { expect, test } from '@jest/globals';
import { TestTransport } from '../testing/transport.ts';
import { closeAll } from './transport.ts';

test('closes connections as refused, and lets other work run after each two hundred', async () => {
  const transports = Array.from({ length: 450 }, () => new TestTransport());
  const closed = () => transports.filter(({ ended }) => ended !== undefined).length;
  const atTurns: number[] = [];
  let told = 0;
  const noteTurn = () => {
    atTurns.push(closed());
    if (closed() < transports.length) setImmediate(noteTurn);
  };
  setImmediate(noteTurn);
  await closeAll(transports, () => {
    told++;
  });
  expect(new Set(transports.map(({ ended }) => ended))).toEqual(new Set([expect.stringMatching(/^4003 /)]));
  expect(told).toBe(450);
  expect(atTurns.slice(0, 2)).toEqual([200, 400]);
});
