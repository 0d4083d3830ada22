import { describe, expect, test } from '@jest/globals';
import { parseSettings, readConfig } from './config.ts';
import { ConfigError } from './configError.ts';

const GUID = '226b9bf8-4af3-4ffa-9b01-162270e4cd40';
const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d';
const domain = { name: 'flags.example.com', certificateArn };

describe('readConfig', () => {
  test.each(['cn-north-1', 'us-gov-west-1', 'us-iso-east-1', 'us-isob-east-1', 'eu-isoe-west-1', 'eusc-de-east-1'])(
    'refuses the region %s',
    (region) => {
      expect(() => readConfig({ region })).toThrow(
        /^region=[\w-]+ cannot be used: regions of China, GovCloud, .* not supported[.]$/,
      );
    },
  );

  test('without settings it is a dev deployment that names no account and no region', () => {
    expect(readConfig()).toEqual({
      stage: 'dev',
      bootstrapQualifier: 'hnb659fds',
      tags: {},
      throttlingRate: 10_000,
      throttlingBurst: 5_000,
      missingAttribute: 'empty',
      pongs: true,
      connectConcurrency: {},
      syncConcurrency: {},
      deliverConcurrency: 4,
      environments: [],
      flagsTable: { tableClass: 'standard' },
      connectionsTable: { tableClass: 'standard' },
      usageWritesPerSecond: 100,
      eventBus: 'default',
      logRetentionDays: 30,
      accessLogRetentionDays: 30,
      streamingAccessLogs: 'off',
      streamingExecutionLogs: false,
      insightRetentionDays: 365,
      tracing: false,
      alarms: true,
      lean: true,
      retainData: false,
      terminationProtection: false,
      name: 'Flagwire',
    });
  });

  test('keeps what is set, and fills in the rest of each group', () => {
    const settings = {
      stage: 'prod',
      account: '123456789012',
      region: 'eu-central-1',
      tags: { team: 'web', 'cost-center': '42' },
      throttlingRate: 250,
      syncConcurrency: { reserved: 50, provisioned: 5 },
      connectionsTable: { warmWrites: 20_000 },
      alarmEmail: 'ops@example.com',
      domain: { ...domain, hostedZoneId: 'Z0123456789ABC' },
    };
    const config = readConfig(settings);
    expect(config).toMatchObject(settings);
    expect(config).toMatchObject({
      connectionsTable: { tableClass: 'standard' },
      streamingAccessLogs: 'existing-role',
    });
  });

  test('refuses Fargate in clear outside dev, unless it is said to be meant', () => {
    expect(() => readConfig({ stage: 'prod', fargate: true })).toThrow('fargate cannot be used without TLS');
    expect(readConfig({ fargate: true }).fargate).toBeDefined();
    expect(readConfig({ stage: 'prod', fargate: { balancer: 'internal' } }).fargate).toBeDefined();
    expect(readConfig({ stage: 'prod', fargate: { allowInsecure: true } }).fargate).toBeDefined();
    expect(() => readConfig({ fargate: { allowedCidrs: ['10.0.0.0'] } })).toThrow('fargate.allowedCidrs');
  });

  test('has a group that is true with all its defaults, and not one that is false or left out', () => {
    const { host, fargate } = readConfig({ host: true, fargate: { vcpu: 0.5 } });
    expect(host).toMatchObject({ instanceType: 't2.micro', credits: 'standard', metricsSeconds: 60 });
    expect(fargate).toMatchObject({ vcpu: 0.5, memoryGb: 1, count: 2, maximum: 10 });
    expect(readConfig({ host: false, operatorPolicies: true })).toMatchObject({
      operatorPolicies: { editorEnvironments: [] },
    });
    expect(readConfig({ host: false }).host).toBeUndefined();
  });

  test.each([
    ['eu-west-1', 10_000, 5_000],
    ['eu-south-2', 2_500, 1_250],
  ])("in %s lets through what the region's quota is by default, or what is chosen", (region, rate, burst) => {
    expect(readConfig({ region })).toMatchObject({ throttlingRate: rate, throttlingBurst: burst });
    expect(readConfig({ region, throttlingRate: 70 })).toMatchObject({ throttlingRate: 70, throttlingBurst: burst });
  });

  test.each([
    [2_500, 4],
    [25_000, 4],
    [25_001, 5],
    [150_000, 24],
    [100_000_000, 1_000],
  ])('at %i requests a second has %i deliveries at once, or as many as are set', (throttlingRate, deliveries) => {
    expect(readConfig({ throttlingRate }).deliverConcurrency).toBe(deliveries);
    expect(readConfig({ throttlingRate, deliverConcurrency: 17 }).deliverConcurrency).toBe(17);
  });

  test('is lean in dev, and where it is set', () => {
    expect(readConfig({ lean: false }).lean).toBe(false);
    expect(readConfig({ stage: 'prod' }).lean).toBe(false);
    expect(readConfig({ stage: 'prod', lean: true }).lean).toBe(true);
  });

  test.each([
    ['dev', false],
    ['prod', true],
    ['staging-eu', true],
  ])('in stage %s keeps data and guards stacks: %s, unless it is set', (stage, isKept) => {
    expect(readConfig({ stage })).toMatchObject({ retainData: isKept, terminationProtection: isKept, lean: !isKept });
    expect(readConfig({ stage, retainData: !isKept }).retainData).toBe(!isKept);
  });

  test('is frozen on every level', () => {
    const config = readConfig({ host: { loadGenerator: true } });
    expect(Object.isFrozen(config)).toBe(true);
    expect(Object.isFrozen(config.host?.loadGenerator)).toBe(true);
  });

  test.each([
    [{ throtlingRate: 1 }, 'throtlingRate', 'throttlingRate'],
    [{ domainName: 'a' }, 'domainName', 'domain.name'],
    [{ stag: 'prod' }, 'stag', 'stage'],
    [{ fargate: { vcpus: 1 } }, 'fargate.vcpus', 'fargate.vcpu'],
    [{ domain: { nam: 'flags.example.com', certificateArn } }, 'domain.nam', 'domain.name'],
  ])('refuses an unknown key in one line: %j', (settings, key, suggestion) => {
    const attempt = () => parseSettings(settings);
    expect(attempt).toThrow(ConfigError);
    expect(messageOf(attempt)).toBe(
      `${key} is not a setting: did you mean ${suggestion}? \`npm run deploy -- --settings\` lists all.`,
    );
  });

  test.each([
    ['stage', 'Prod'],
    ['name', 'my-flags'],
    ['account', '1234'],
    ['region', 'Frankfurt'],
    ['tags', 'team'],
    ['tags.stage', 'x'],
    ['tags.aws:team', 'x'],
    ['throttlingRate', 0],
    ['throttlingRate', '70'],
    ['throttlingBurst', 'many'],
    ['missingAttribute', 'null'],
    ['pongs', 'true'],
    ['syncConcurrency.reserved', -1],
    ['deliverConcurrency', 1],
    ['flagsTable.warmReads', 100],
    ['connectionsTable.tableClass', 'cheap'],
    ['usageWritesPerSecond', 0],
    ['usageWritesPerSecond', 'on'],
    ['logRetentionDays', 31],
    ['accessLogRetentionDays', 0],
    ['streamingAccessLogs', 'on'],
    ['streamingExecutionLogs', 'error'],
    ['insightRetentionDays', 0],
    ['host.machineImage', 'latest'],
    ['fargate', 1],
    ['tracing', 'yes'],
    ['alarms', 'no'],
    ['lean', 'no'],
    ['alarmEmail', 'ops'],
    ['operatorPolicies.editorEnvironments', [GUID, GUID.toUpperCase()]],
    ['operatorPolicies.editorEnvironments.0', 'shop'],
    ['domain.name', 'https://flags.example.com'],
    ['domain.certificateArn', 'arn:aws:acm:eu-central-1:123456789012:certificate/0a1b'],
    ['domain.hostedZoneId', 'example.com'],
  ])('refuses %s=%j in one line that names both', (key, value) => {
    const attempt = () => parseSettings(settingsWith(key, value));
    expect(attempt).toThrow(ConfigError);
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    expect(messageOf(attempt)).toContain(`${key}=${text} cannot be used: `);
    expect(messageOf(attempt)).toMatch(/^[^\n]+\.$/);
  });

  test.each([null, [], 'prod', 1])('refuses %j, which is no object', (given) => {
    expect(() => parseSettings(given)).toThrow('Settings must be a JSON object.');
  });

  test.each([
    [{ domain: { certificateArn } }, 'domain.name is missing: domain name for SDKs.'],
    [
      { domain: { name: domain.name } },
      'domain.certificateArn is missing: ACM certificate for the domain name, in us-east-1.',
    ],
  ])('refuses half a domain: %j', (settings, message) => {
    expect(() => parseSettings(settings)).toThrow(message);
  });

  test('names everything that is wrong, one a line, unknown keys first', () => {
    const settings = {
      throttlingRate: 0,
      tracng: true,
      lean: 'no',
      domain: { nam: 'flags.example.com', certificateArn },
    };
    expect(messageOf(() => parseSettings(settings)).split('\n')).toEqual([
      expect.stringMatching(/^domain\.nam is not a setting: /),
      expect.stringMatching(/^tracng is not a setting: /),
      expect.stringMatching(/^throttlingRate=0 cannot be used: /),
      expect.stringMatching(/^lean=no cannot be used: /),
    ]);
    const contradicting = { alarms: false, alarmEmail: 'ops@example.com', host: { availabilityZone: 'us-east-1a' } };
    expect(messageOf(() => parseSettings({ ...contradicting, region: 'eu-west-1' })).split('\n')).toEqual([
      'alarmEmail cannot be used: alarms is false.',
      'host.availabilityZone=us-east-1a cannot be used: the region is eu-west-1.',
    ]);
  });

  test('refuses to mail alarms that there are none of', () => {
    expect(() => readConfig({ alarms: false, alarmEmail: 'ops@example.com' })).toThrow(
      'alarmEmail cannot be used: alarms is false.',
    );
  });

  test('refuses to provision more instances than are reserved', () => {
    expect(() => readConfig({ syncConcurrency: { reserved: 5, provisioned: 6 } })).toThrow(
      'syncConcurrency.provisioned=6 cannot be used: only 5 instances are reserved.',
    );
  });
});

/** Settings with one value, and what its group cannot do without. */
function settingsWith(key: string, value: unknown): unknown {
  const [group = '', ...names] = key.split('.');
  if (names.length === 0) return { [group]: value };
  const rest = group === 'domain' ? domain : {};
  if (names[1] === '0') return { [group]: { [names[0] ?? '']: [value] } };
  return { [group]: { ...rest, [names.join('.')]: value } };
}

function messageOf(attempt: () => unknown): string {
  try {
    attempt();
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error('nothing was refused');
}
