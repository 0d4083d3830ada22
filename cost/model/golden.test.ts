import { describe, expect, test } from '@jest/globals';
import type { Item } from '../prices/bill.ts';
import { assumed } from '../testing/assumed.ts';
import { type Architecture, costOf } from './report/compare.ts';
import { idle } from './report/report.ts';
import { codeReadUnits } from './workload/units.ts';
import { parseWorkload } from './workload/workload.ts';

/** What items of a price come to, in US dollars. */
const usdOf = (items: readonly Item[], price: string, what?: string) =>
  items
    .filter((item) => item.price === price && (what ?? item.what) === item.what)
    .reduce((sum, { usd }) => sum + usd, 0);

// Each figure is worked by hand from cost/prices/us-east-1.json; the comments are the working.

describe('one connection for an hour at 18 s pings', () => {
  const workload = parseWorkload({
    connections: 1,
    curve: 'one-hour',
    days: 1,
    newPerHour: 1,
    flags: 5,
    changesPerDay: 0,
  });
  const items = costOf('serverless', workload, assumed).bill.items.filter(({ purpose }) => purpose !== 'machines');
  // A connection that lasts an hour on average meets the two-hour limit before its end once in e² times.
  const opens = 1 / (1 - Math.exp(-2));

  test.each([
    ['200 pings at $1 a million', 'webSocketMessage', 'pings', 0.0002],
    ['as many pongs', 'webSocketMessage', 'pongs', 0.0002],
    ['60 minutes at $0.25 a million', 'connectionMinute', undefined, 0.000015],
    ['a data-sync for each opening', 'webSocketMessage', 'data-syncs', opens * 1e-6],
    // 5 flags of 400 bytes fit one message.
    ['and its answer', 'webSocketMessage', 'their answers', opens * 1e-6],
    ['the sync function: 20 ms of 0.5 GB', 'lambdaGbSecond', 'sync', opens * 0.01 * 13.3334e-6],
    ['connect: 10 ms of 0.5 GB', 'lambdaGbSecond', 'connect', opens * 0.005 * 13.3334e-6],
    ['disconnect: 10 ms of 0.25 GB', 'lambdaGbSecond', 'disconnect', opens * 0.0025 * 13.3334e-6],
    ['three calls at $0.20 a million', 'lambdaRequest', undefined, opens * 3 * 0.2e-6],
    ['a note and a row, written and removed, and the row answered', 'writeUnit', undefined, opens * 5 * 0.625e-6],
    // The secret, and the version.
    ['two reads', 'readUnit', undefined, opens * 2 * 0.125e-6],
    // 600 bytes of each function, as Lambda adds nothing at level WARN; 300 for each ping, opening, end and data-sync.
    ['logs', 'logGb', undefined, ((opens * 3 * 600 + (200 + 3 * opens) * 300) * 0.5) / 1024 ** 3],
    // 200 pongs of 32 + 128 bytes, one full answer of 2,000, a frame for each answer, a handshake of 4,000 each.
    ['data out at $0.09', 'dataOut', undefined, ((200 * 160 + 2_000 + opens * (128 + 4_000)) * 0.09) / 1024 ** 3],
  ])('%s', (_, price, what, usd) => {
    expect(usdOf(items, price, what)).toBeCloseTo(usd, 12);
  });
});

test('the reference benchmark’s run: 20,000 connections of 180 s', () => {
  // In their hour they are 20,000 × 180 / 3,600 = 1,000 on average.
  const workload = parseWorkload({
    connections: 1_000,
    curve: 'one-hour',
    days: 1,
    newPerHour: 20_000,
    flags: 5,
    changesPerDay: 0,
  });
  const items = costOf('serverless', workload, assumed).bill.items.filter(({ purpose }) => purpose !== 'machines');
  // 200 pings and pongs each: 400,000; 20,000 data-syncs and answers: 40,000.
  expect(usdOf(items, 'webSocketMessage')).toBeCloseTo(0.44, 6);
  expect(usdOf(items, 'connectionMinute')).toBeCloseTo(0.015, 9);
  // 60,000 calls; (5 + 10 + 2.5) GB-ms each connection.
  expect(usdOf(items, 'lambdaRequest')).toBeCloseTo(0.012, 9);
  expect(usdOf(items, 'lambdaGbSecond')).toBeCloseTo(20_000 * 0.0175 * 13.3334e-6, 9);
  expect(usdOf(items, 'writeUnit')).toBeCloseTo(0.0625, 9);
  expect(usdOf(items, 'readUnit')).toBeCloseTo(0.005, 9);
});

describe('a million clients for an hour at one message a second', () => {
  const common = {
    connections: 1e6,
    curve: 'one-hour',
    days: 1,
    flags: 5,
    changesPerDay: 0,
    servers: 'hourly',
  } as const;
  const pings = parseWorkload({ ...common, sdks: [{ share: 1, pingSeconds: 1, type: 'client' }] });

  test('as pings: 7.2 billion messages, a billion at $1 and the rest at $0.80 a million', () => {
    const { items } = costOf('serverless', pings, assumed).bill;
    const [pinged, ponged] = ['pings', 'pongs'].map((what) => usdOf(items, 'webSocketMessage', what));
    // They all come in that hour, and some twice: each opening has a data-sync and its answer.
    const opened = 1 / (1 - Math.exp(-2));
    const millions = 7_200 + 2 * opened;
    const all = 1_000 + (millions - 1_000) * 0.8;
    expect(usdOf(items, 'webSocketMessage')).toBeCloseTo(all, 6);
    expect((pinged ?? 0) + (ponged ?? 0)).toBeCloseTo((all * 7_200) / millions, 6);
    expect(usdOf(items, 'connectionMinute')).toBeCloseTo(15, 9);
    // 3.6 billion pongs of 160 bytes: 536 GB.
    expect(usdOf(items, 'dataOut', 'pongs')).toBeCloseTo(((3.6e9 * 160) / 1024 ** 3) * 0.09, 2);
  });

  test('on Fargate: 70 tasks of half a core by their work, and NLCUs by what goes through', () => {
    const { bill, machines } = costOf('fargate', pings, assumed);
    // By connections 1,000,000 / 17,999 = 55.6; by work 20 cores and 300 s of data-syncs over 0.3 − 0.01 a task are more.
    expect(machines).toBe(70);
    expect(usdOf(bill.items, 'fargateArmVcpuHour')).toBeCloseTo(70 * 0.5 * 0.03238, 9);
    expect(usdOf(bill.items, 'fargateArmGbHour')).toBeCloseTo(70 * 0.00356, 9);
    // Both ways 3.6e9 × (160 + 160) bytes, and a million handshakes and answers: more units than 1,000,000 / 3,000.
    const bytes = 3.6e9 * 320 + 1e6 * (4_000 + 2_000 + 128);
    expect(usdOf(bill.items, 'loadBalancerUnitHour')).toBeCloseTo((bytes / 1024 ** 3) * 0.006, 2);
    expect(usdOf(bill.items, 'loadBalancerHour')).toBeCloseTo(0.0225, 9);
  });
});

describe('a day of 1,600 connections with ten changes, and ten events an hour of each', () => {
  const workload = parseWorkload({ connections: 1_600, days: 1, flags: 5, changesPerDay: 10, eventsPerHour: 10 });
  const quantities = (which: Architecture) => {
    const { items } = costOf(which, workload, assumed).bill;
    return Object.fromEntries(
      items.map(({ price, what, purpose, quantity }) => [`${purpose} ${price} ${what}`, quantity]),
    );
  };

  test('serverless', () => {
    expect(quantities('serverless')).toMatchObject({
      // A flag of 2,000 bytes with attributes is 3 KB, three times (journal, history), and four versions; a transaction takes two of each.
      'pushes writeUnit changes': 10 * 2 * (3 + 3 + 3 + 4),
      // With a hundred connections a shard hardly any is empty.
      'pushes writeUnit progress notes of deliveries': expect.closeTo(160, 9),
      'pushes readUnit looks for occupied shards': 160,
      // 100 rows of 400 bytes in each shard: ten units.
      'pushes readUnit connections': expect.closeTo(10 * 16 * 10, 9),
      'pushes readUnit versions': expect.closeTo(160, 9),
      // A unit each for four deliveries and two others.
      'pushes readUnit changes read by instances': 10 * 6,
      'pushes queueRequest messages to shards': 20,
      'pushes queueRequest deliveries': expect.closeTo(320, 9),
      'pushes lambdaRequest publish': 10,
      'pushes lambdaRequest deliver': expect.closeTo(160, 9),
      'pushes lambdaGbSecond messages to connections': 16_000 * 0.001 * (1_769 / 1_024),
      'pushes webSocketMessage patches': 16_000,
      // Clients get the evaluated flag, of 400 bytes.
      'pushes dataOut patches': (16_000 * 528) / 1024 ** 3,
      'insights httpRequest requests with events': 38_400,
      // The ten events of a request are a record of 4,000 bytes, which counts as 5 KB.
      'insights deliveredGb events': (38_400 * 5_120) / 1024 ** 3,
      'insights logGb access log': (38_400 * 300) / 1024 ** 3,
      'heartbeat logGb access log': (1_600 * 24 * 200 * 300) / 1024 ** 3,
      'machines customMetric metrics of the functions': (5 * 24) / 730,
    });
  });

  test.each(['serverless', 't2', 'fargate'] as const)(
    '%s: a patch to a server is the whole flag, one to a client what it evaluates to',
    (which) => {
      const sdks = [
        { share: 0.75, pingSeconds: 18, type: 'client' as const },
        { share: 0.25, pingSeconds: 10, type: 'server' as const },
      ];
      const mixed = parseWorkload({ connections: 1_600, days: 1, changesPerDay: 10, sdks, flagBytes: 40_000 });
      const patches = costOf(which, mixed, assumed).bill.items.filter(
        ({ what, quantity }) => what === 'patches' && quantity > 0,
      );
      expect(Object.fromEntries(patches.map(({ price, quantity }) => [price, quantity]))).toEqual({
        // A flag of 40,000 bytes is two messages to API Gateway.
        ...(which === 'serverless' ? { webSocketMessage: expect.closeTo(12_000 + 4_000 * 2, 6) } : {}),
        [which === 't2' ? 'cdnDataOut' : 'dataOut']: expect.closeTo((12_000 * 528 + 4_000 * 40_128) / 1024 ** 3, 9),
      });
    },
  );

  test('serverless, where three are connected or nobody is: deliveries for the shards that have connections', () => {
    const deliveries = (connections: number) => {
      const few = parseWorkload({ connections, days: 1, flags: 5, changesPerDay: 10 });
      const { items } = costOf('serverless', few, assumed).bill;
      return items.find(({ price, what }) => price === 'lambdaRequest' && what === 'deliver')?.quantity ?? 0;
    };
    // The second is in another shard than the first with 15 of 16 chances, the third than both with 15² of 16².
    expect(deliveries(3)).toBeCloseTo(10 * (1 + 15 / 16 + (15 / 16) ** 2), 9);
    expect(deliveries(0)).toBe(0);
  });

  test('serverless, to 80,000 connections: 5,000 a shard, and a note for each 500 of them', () => {
    const many = parseWorkload({ connections: 80_000, days: 1, flags: 5, changesPerDay: 1 });
    const { items } = costOf('serverless', many, assumed).bill;
    expect(items.find(({ what }) => what.startsWith('progress notes'))?.quantity).toBeCloseTo(16 * 10, 9);
  });

  test('one t2.micro', () => {
    const { 'machines readUnit polls for changes': polls, ...others } = quantities('t2');
    // Twice a second, and a hundred times for a minute after each of ten changes.
    expect(polls).toBeCloseTo(24 * 3_600 * 2 + 10 * 60 * 98, 6);
    expect(others).toMatchObject({
      'pushes writeUnit changes': 260,
      'pushes readUnit changes read by each process': 10 * 2,
      // Clients get the evaluated flag, of 400 bytes.
      'pushes cdnDataOut patches': (16_000 * 528) / 1024 ** 3,
      // The function of the stream runs, and finds nobody.
      'pushes lambdaRequest publish': 10,
      // A flag of 2,000 bytes before and after.
      'pushes event change events': 10,
      'insights deliveredGb events': (38_400 * 5_120) / 1024 ** 3,
    });
  });
});

describe('an idle month', () => {
  const nothing = idle(parseWorkload({}));
  const stored = ((20 * 2_000) / 1024 ** 3) * 0.45;
  // 43,800 looks: a call of 10 ms with half a GB, and eight reads.
  const looks = 43_800 * (0.2e-6 + 0.005 * 13.3334e-6 + 8 * 0.125e-6);
  const serverless = 1.9 + 2 * 3 + 0.657 + stored + looks;

  test('serverless: 19 alarms at $0.10, two dashboards at $3, 1,314,000 polls at $0.50 a million, flags of 40 KB, healing', () => {
    expect(costOf('serverless', nothing, assumed).bill.total).toBeCloseTo(serverless, 9);
  });

  test('lean, with what is free in every account: the polls beyond a million, and backup', () => {
    const { total } = costOf('serverless', { ...nothing, lean: true, freeTier: 'always' }, assumed).bill;
    const reads = 43_800 * 8 * 0.125e-6;
    expect(total).toBeCloseTo(0.314 * 0.5 + ((20 * 2_000) / 1024 ** 3) * 0.2 + reads, 9);
  });

  test('a t2.micro: 730 hours at $0.0116, address $0.005, 8 GB at $0.08, 14 metrics at $0.30, a dashboard; serverless', () => {
    const all = 730 * 0.0116 + 730 * 0.005 + 0.64 + 4.2 + 3;
    expect(costOf('t2', nothing, assumed).bill.total).toBeCloseTo(all + serverless, 9);
  });

  test('Fargate: two tasks of a quarter of a core and half a GB, the balancer, four addresses, alarms, a dashboard; serverless', () => {
    const each = 0.25 * 0.03238 + 0.5 * 0.00356;
    // Seven metrics of its own alarms, and six of those of scaling.
    const all = 730 * (2 * each + 0.0225 + 4 * 0.005) + 1.3 + 3 + serverless;
    expect(costOf('fargate', nothing, assumed).bill.total).toBeCloseTo(all, 9);
  });
});

test('code in Lambda: a million invocations, 10,000 of them cold, with 20 flags of 2,000 bytes', () => {
  // 40,000 bytes are 10 units, and the pointer is one; half of them are charged.
  expect(codeReadUnits(40_000, 1e6, 1e4)).toBe(1e6 + 55_000);
});
