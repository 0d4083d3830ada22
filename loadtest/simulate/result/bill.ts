import { type Bill, type Line, priceLines } from '../../../cost/prices/bill.ts';
import { FUNCTION_GB } from '../../../cost/prices/serviceFacts.ts';
import { priceSheetOf } from '../../../cost/prices/sheets.ts';
import type { Outcome } from './outcome.ts';
import type { CalledFunction } from './usage.ts';

/** What calls of each function are for. */
const PURPOSES: Readonly<Record<CalledFunction, Line['purpose']>> = {
  connect: 'connections',
  disconnect: 'connections',
  sync: 'syncs',
  publish: 'pushes',
  deliver: 'pushes',
};

/**
 * What a scenario costs at list prices of us-east-1, in US dollars: everything that was asked for meanwhile, pings and pongs among it.
 * Connection minutes, logs and data out are left to `npm run cost`, which has months.
 */
export function billOf({ usage, units, pings, reached }: Outcome): Bill {
  const names = Object.keys(PURPOSES) as CalledFunction[];
  const lines: Line[] = [
    {
      price: 'webSocketMessage',
      purpose: 'heartbeat',
      what: 'pings, pongs',
      quantity: 2 * (pings.asked - pings.refused),
    },
    {
      price: 'webSocketMessage',
      purpose: 'syncs',
      what: 'data-syncs, answers',
      quantity: usage.dataSyncs + usage.answers,
    },
    { price: 'webSocketMessage', purpose: 'pushes', what: 'patches', quantity: usage.posts > 0 ? reached.count : 0 },
    { price: 'readUnit', purpose: 'syncs', what: 'tables', quantity: units.read },
    { price: 'writeUnit', purpose: 'syncs', what: 'tables', quantity: units.written },
    { price: 'queueRequest', purpose: 'pushes', what: 'queue', quantity: usage.queueRequests },
    ...names.flatMap((name): Line[] => {
      const { count, ms } = usage.calls[name];
      const gbSeconds = (ms / 1_000) * FUNCTION_GB[name];
      return [
        { price: 'lambdaRequest', purpose: PURPOSES[name], what: name, quantity: count },
        { price: 'lambdaGbSecond', purpose: PURPOSES[name], what: name, quantity: gbSeconds },
      ];
    }),
  ];
  return priceLines(lines, priceSheetOf('us-east-1'));
}
