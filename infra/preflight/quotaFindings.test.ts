import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../config/config.ts';
import type { Settings } from '../config/settingsSchema.ts';
import { accountSettingsFor } from './accountSettings.ts';
import { findingsFor, fittingDeliveries } from './quotaFindings.ts';
import type { AccountLimits } from './quotas.ts';

type Limits = Omit<AccountLimits, 'region'>;

/** What AWS documents as its defaults. */
const USUAL = { concurrency: 1_000, throttleRate: 10_000, throttleBurst: 5_000 };
const SMALL_REGION = { ...USUAL, throttleRate: 2_500, throttleBurst: 1_250 };
const NEW = { ...USUAL, concurrency: 10 };

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
    sentences({ ...USUAL, fargateVcpus }, { fargate: { maximum: 4, ...fargate } });

  test('gets a warning if a deployment cannot run old and new tasks at the same time', () => {
    expect(texts(7)).toEqual([
      [
        false,
        expect.stringMatching(
          /^Fargate will not start .* up to 8 vCPUs on demand while .* quota is 7\. .* L-3032A538 --desired-value 8 /,
        ),
      ],
    ]);
    expect(texts(8)).toEqual([]);
    expect(texts(2, { vcpu: 0.25 })).toEqual([]);
  });

  test('is refused where the tasks that run at least do not fit', () => {
    expect(texts(1, { count: 2 })).toEqual([[true, expect.stringMatching(/Lower fargate.vcpu, fargate.count or/)]]);
    expect(texts(2, { count: 2 })).toEqual([[false, expect.anything()]]);
  });

  test('does not need it for tasks on Spot', () => {
    expect(texts(6, { spotPercent: 25 })).toEqual([]);
    expect(texts(0, { spotPercent: 100 })).toEqual([]);
  });

  test('is not judged by a quota that was not read', () => {
    expect(sentences({}, { fargate: { maximum: 4 } })).toEqual([]);
  });

  test('has no finding if no tasks run there', () => {
    expect(sentences({ ...USUAL, fargateVcpus: 0 })).toEqual([]);
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
});

describe('a new account, with ten concurrent executions', () => {
  test('gets fewer deliveries at once, and a warning of what will not work', () => {
    const { config, findings } = lookAt(NEW);
    expect(config.deliverConcurrency).toBeLessThanOrEqual(4);
    expect(findings).toEqual([
      { isRefused: false, text: expect.stringMatching(/^More than 10 calls at once will not work: .* L-B99A9384 /) },
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
