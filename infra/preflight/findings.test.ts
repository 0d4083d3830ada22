import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import type { Settings } from '../config/settingsSchema.ts';
import { accountSettingsFor } from './accountSettings.ts';
import { findingsFor, fittingDeliveries } from './findings.ts';
import type { AccountLimits } from './quotas.ts';

type Limits = Omit<AccountLimits, 'region'>;

/** What AWS documents as its defaults. */
const USUAL = {
  concurrency: 1_000,
  unreserved: 1_000,
  throttleRate: 10_000,
  throttleBurst: 5_000,
  newConnections: 500,
};
const SMALL_REGION = { ...USUAL, throttleRate: 2_500, throttleBurst: 1_250 };
const NEW = { ...USUAL, concurrency: 10, unreserved: 10 };

/** As the command does: settings that the account decides first, then what is wrong with all of them. */
function lookAt(limits: Limits, context: Settings = {}) {
  const read = { region: 'eu-west-1', ...limits };
  const decided = accountSettingsFor(context, readConfig(context), read);
  const settings = Object.fromEntries(decided.map(({ key, value }) => [key, value]));
  const config = readConfig({ ...context, ...settings });
  return { settings, config, findings: findingsFor(config, read) };
}
const sentences = (limits: Limits, context: Settings = {}) =>
  lookAt(limits, context).findings.map(({ isRefused, text }) => [isRefused, text]);

describe('an account with the usual quotas', () => {
  test('has nothing against the defaults, and gives its own throttle', () => {
    expect(lookAt(USUAL)).toMatchObject({
      settings: { throttlingRate: 10_000, throttlingBurst: 5_000 },
      findings: [],
    });
  });

  test('whose quota was raised lets through as much', () => {
    const { settings } = lookAt({ ...USUAL, throttleRate: 40_000, throttleBurst: 20_000 });
    expect(settings).toEqual({ throttlingRate: 40_000, throttlingBurst: 20_000 });
  });

  test('whose quota was raised has more deliveries at once, where it has room for them', () => {
    const raised = { ...USUAL, throttleRate: 150_000, throttleBurst: 75_000 };
    expect(lookAt(raised).config.deliverConcurrency).toBe(24);
    expect(lookAt({ ...raised, concurrency: 10 }).config.deliverConcurrency).toBe(4);
    expect(lookAt({ ...raised, concurrency: 10 }, { throttlingRate: 5_000 }).settings).not.toHaveProperty(
      'deliverConcurrency',
    );
  });

  test('leaves what the operator chose as it is', () => {
    const context = {
      throttlingRate: 70,
      throttlingBurst: 35,
      deliverConcurrency: 16,
    };
    expect(lookAt(NEW, context).settings).toEqual({});
  });
});

describe('an account with few processors on Fargate', () => {
  const texts = (fargateVcpus: number, fargate = {}) =>
    sentences({ ...USUAL, fargateVcpus, spotVcpus: 6 }, { fargate: { maximum: 4, ...fargate } });

  test('is refused where the tasks that run at least do not fit', () => {
    expect(texts(1)).toEqual([
      [true, expect.stringMatching(/^Fargate will not start 2 tasks: .* L-3032A538 --desired-value 8 /)],
    ]);
  });

  test('is told where a deployment cannot run old and new tasks beside each other', () => {
    expect(texts(7)).toEqual([
      [false, expect.stringMatching(/^Fargate will not start .* up to 8 vCPUs on demand while .* quota is 7\. /)],
    ]);
    expect(texts(8)).toEqual([]);
    expect(texts(2, { vcpu: 0.25 })).toEqual([]);
  });

  test('has a quota of its own for Spot', () => {
    expect(texts(6, { spotPercent: 25 })).toEqual([]);
    expect(texts(0, { spotPercent: 100 })).toEqual([
      [false, expect.stringMatching(/up to 8 vCPUs on Spot while .* quota is 6\. .* L-36FBB829 --desired-value 8 /)],
    ]);
  });

  test('is asked nothing by who has no tasks there', () => {
    expect(sentences({ ...USUAL, fargateVcpus: 0, spotVcpus: 0 })).toEqual([]);
  });
});

describe('a region', () => {
  test('a small region lowers the throttle', () => {
    expect(lookAt(SMALL_REGION)).toMatchObject({
      settings: { throttlingRate: 2_500, throttlingBurst: 1_250 },
      findings: [],
    });
  });

  test('whose quota was not read has its default', () => {
    expect(lookAt({}, { region: 'eu-south-2' })).toMatchObject({
      settings: { throttlingRate: 2_500, throttlingBurst: 1_250 },
      findings: [],
    });
  });

  test('refuses a throttle above its quota', () => {
    const context = { throttlingRate: 10_000, throttlingBurst: 5_000 };
    expect(sentences(SMALL_REGION, context)).toEqual([
      [true, expect.stringMatching(/^API Gateway will refuse throttlingRate=10000: .* 2500 requests a second\. /)],
      [true, expect.stringMatching(/^API Gateway will refuse throttlingBurst=5000: .* 1250 requests at once, /)],
    ]);
    expect(sentences(SMALL_REGION, context)[0]?.[1]).toContain(
      '--service-code apigateway --quota-code L-8A5B8E43 --desired-value 10000 --region eu-west-1',
    );
  });
});

describe('a new account, with ten concurrent executions', () => {
  test('takes the defaults, with no more deliveries at once than leave room, and is told what it cannot do', () => {
    const { config, findings } = lookAt(NEW);
    expect(config.deliverConcurrency).toBeLessThanOrEqual(4);
    expect(findings).toEqual([
      { isRefused: false, text: expect.stringMatching(/^More than 10 calls at once will not work: .* L-B99A9384 /) },
    ]);
  });

  test('can reserve nothing', () => {
    expect(sentences(NEW, { syncConcurrency: { reserved: 1 } })[0]).toEqual([
      true,
      expect.stringMatching(
        /^Lambda will refuse to reserve 1 concurrent executions .* has 10, and all must stay unreserved.* --desired-value 101 /,
      ),
    ]);
    expect(sentences(NEW, { connectConcurrency: { provisioned: 2 } })[0]?.[0]).toBe(true);
    const more = { ...USUAL, concurrency: 101, unreserved: 101 };
    expect(sentences(more, { syncConcurrency: { reserved: 2 } })[0]?.[1]).toContain(
      'has 101, and 100 must stay unreserved',
    );
  });

  test('has no room for the deliveries of a large one', () => {
    expect(sentences(NEW, { deliverConcurrency: 16 })).toContainEqual([
      false,
      expect.stringMatching(/^Handshakes and data-syncs will not work during pushes: .* 18 of the account's 10 .*=4$/),
    ]);
  });

  test.each([
    [1, 2],
    [10, 4],
    [1_000, 400],
  ])('an account with %i executions has room for %i deliveries', (concurrency, deliveries) => {
    expect(fittingDeliveries(concurrency)).toBe(deliveries);
  });
});

describe('reserved concurrency', () => {
  const context = { connectConcurrency: { reserved: 400 }, syncConcurrency: { reserved: 500 } };

  test('may be all but a hundred, the greater of reserved and provisioned for each function', () => {
    expect(sentences(USUAL, { ...context, syncConcurrency: { reserved: 500, provisioned: 5 } })).toEqual([]);
    expect(sentences(USUAL, { ...context, syncConcurrency: { reserved: 501 } })).toEqual([
      [true, expect.stringContaining('reserve 901 concurrent executions')],
    ]);
  });

  test('by others too may be too much, unless it is reserved by this deployment already', () => {
    expect(sentences({ ...USUAL, unreserved: 900 }, context)).toEqual([
      [
        false,
        expect.stringMatching(/unless this deployment has them already: 900 of the account's 1000 are unreserved/),
      ],
    ]);
  });
});

test('fewer new connections than usual are told of', () => {
  expect(sentences({ ...USUAL, newConnections: 100 })).toEqual([
    [
      false,
      expect.stringMatching(
        /^More than 100 new connections a second will not work\. .*L-9ED1E49A --desired-value 500 /,
      ),
    ],
  ]);
});

test('a raised throttle is told where its connections could not come back within ten minutes', () => {
  expect(sentences({ ...USUAL, throttleRate: 150_000, throttleBurst: 75_000 })).toEqual([
    [
      false,
      expect.stringMatching(
        /^The throttle allows pings of 1620000 connections\. .* need 54 minutes .* L-9ED1E49A --desired-value 2700 /,
      ),
    ],
  ]);
  expect(sentences({ ...USUAL, throttleRate: 150_000, throttleBurst: 75_000, newConnections: 2_700 })).toEqual([]);
});

test('ignores quotas that were not read', () => {
  expect(sentences({}, { syncConcurrency: { reserved: 5_000 }, throttlingRate: 99_000 })).toEqual([]);
});

test('every finding is one line with a way out', () => {
  const context = { syncConcurrency: { reserved: 1 }, deliverConcurrency: 16 };
  const all = sentences({ ...NEW, newConnections: 1 }, { ...context, throttlingRate: 99_000 });
  expect(all).toHaveLength(5);
  for (const [, text] of all) expect(text).toMatch(/^[A-Z][^\n]+(aws service-quotas [^\n]+|--set \w+=\d+)$/);
});
