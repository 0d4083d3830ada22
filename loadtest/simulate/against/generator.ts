import { Crowd } from './crowd.ts';

/** What a generator is told, and answers. */
export type Order =
  | { readonly do: 'come'; readonly count: number; readonly perSecond: number; readonly patienceMs: number }
  | { readonly do: 'ping'; readonly seconds: number }
  | { readonly do: 'arrivals'; readonly version: number };

/* A process of its own that holds the connections: no process may open more than 20,000 files. */
const [, , port = '', clientKey = ''] = process.argv;
const crowd = new Crowd({ host: '127.0.0.1', port: Number(port) }, clientKey);

process.on('message', async (order: Order) => process.send?.(await obey(order)));
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function obey(order: Order): Promise<unknown> {
  switch (order.do) {
    case 'come':
      return crowd.come(order.count, order.perSecond, order.patienceMs);
    case 'ping':
      return crowd.keepPinging(order.seconds) ?? null;
    case 'arrivals':
      return crowd.arrivals(order.version);
  }
}
