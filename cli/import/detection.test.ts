import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isJsonObject } from '../../shared/flags/reader.ts';
import { REFERENCE_DATA } from '../testing/cli.ts';
import { flagsPart, formatAdvice, mistakenService, servicesOf } from './detection.ts';
import { MAX_NESTING } from './jsonFile.ts';
import { SERVICES } from './services.ts';
import { WrongForm } from './translation/values.ts';
import { YamlTooLarge } from './yamlLimits.ts';

const read = (...path: string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'));
const sample = (service: string, name: string) => read(import.meta.dirname, service, 'testing', 'data', name);
const stranger = (name: string) => read(import.meta.dirname, '..', 'testing', 'data', name);
const inside = (file: unknown, field: string) => (file as Record<string, unknown>)[field];

/** A file of each service. */
const FILES: Readonly<Record<string, unknown>> = {
  appconfig: { version: '1', flags: { f: { name: 'F' } }, values: { f: { enabled: true } } },
  featbit: read(REFERENCE_DATA, 'flags.json'),
  flagd: { flags: { f: { state: 'ENABLED', variants: { on: true }, defaultVariant: 'on' } } },
  flagsmith: sample('flagsmith', 'environment.json'),
  gofeatureflag: { flags: { f: { variations: { on: true }, defaultRule: { variation: 'on' } } } },
  launchdarkly: inside(sample('launchdarkly', 'target-match.json'), 'sdkData'),
  unleash: inside(sample('unleash', '08-variants.json'), 'state'),
};
const names = Object.keys(SERVICES);

const flagOfFeatBit = (FILES['featbit'] as object[])[0];
const SDK_FLAG = { key: 'f', on: true, variations: [true, false], fallthrough: { variation: 0 } };
const REST_FLAG = { key: 'f', variations: [{ _id: '1', value: true }], environments: { test: { on: true } } };

/** Files of services by title, of each form. */
const FORMS: readonly (readonly [title: string, file: unknown])[] = [
  ...Object.entries(FILES).map(([name, file]) => [SERVICES[name]?.title ?? '', file] as const),
  ['AWS AppConfig', { flags: {}, values: { f: { enabled: 'false' } } }],
  ['AWS AppConfig', { values: { f: { _variants: [] } } }],
  ['AWS AppConfig', { flags: { f: { attributes: { size: { constraints: { type: 'number' } } } } } }],
  ['FeatBit', { flags: [flagOfFeatBit], segments: read(REFERENCE_DATA, 'segments.json') }],
  ['FeatBit', { segments: read(REFERENCE_DATA, 'segments.json'), flags: [] }],
  ['FeatBit', { featureFlags: [flagOfFeatBit], segments: [] }],
  ['FeatBit', flagOfFeatBit],
  ['FeatBit', read(REFERENCE_DATA, 'segments.json')],
  ['FeatBit', { success: true, errors: [], data: flagOfFeatBit }],
  ['FeatBit', { messageType: 'data-sync', data: { eventType: 'full', featureFlags: [], segments: [] } }],
  ['FeatBit', stranger('featbit-latest-all.json')],
  ['flagd', read(import.meta.dirname, 'flagd/testing/data/example_flags.flagd.json')],
  ['flagd', stranger('bignum.flagd.json')],
  ['flagd', stranger('openfeature-inmemory.json')],
  ['flagd', { flags: [{ key: 'f', state: 'DISABLED', variants: {} }] }],
  ['flagd', { kind: 'FeatureFlag', metadata: { name: 'f' }, spec: { flagSpec: FILES['flagd'] } }],
  ['flagd', { kind: 'ConfigMap', data: { 'flags.json': JSON.stringify(FILES['flagd']), other: 'a: [' } }],
  ['GO Feature Flag', { documents: [{ kind: 'ConfigMap', data: { f: JSON.stringify(FILES['gofeatureflag']) } }, {}] }],
  ['LaunchDarkly', [REST_FLAG]],
  ['LaunchDarkly', stranger('ld-flagvalues.json')],
  ['LaunchDarkly', stranger('ld-summary.json')],
  ['LaunchDarkly', stranger('ld-variation-and-rollout.json')],
  ['LaunchDarkly', { flagValues: { f: true } }],
  ['LaunchDarkly', { items: [REST_FLAG], totalCount: 1 }],
  ['LaunchDarkly', REST_FLAG],
  ['LaunchDarkly', SDK_FLAG],
  ['LaunchDarkly', { path: '/', data: { flags: { f: { on: true, variations: [1] } }, segments: {} } }],
  ...['08-variants', '09-strategy-constraints', '13-constraint-operators', '15-global-constraints'].map(
    (name) => ['Unleash', inside(sample('unleash', `${name}.json`), 'state')] as const,
  ),
  ['Unleash', stranger('unleash-v4.json')],
  ['Unleash', { version: 2, features: [] }],
  ['GO Feature Flag', stranger('goff-wrapped.json')],
  ['GO Feature Flag', { f: { variations: { on: true }, defaultRule: { variation: 'on' } } }],
  ['flagd', { kind: 'List', items: [{ spec: { flagSpec: FILES['flagd'] } }] }],
  ['flagd', { documents: [{ kind: 'Deployment', spec: { replicas: 1 } }, { spec: { flagSpec: FILES['flagd'] } }] }],
];

/** Files of other services and interfaces. */
const OTHERS: readonly (readonly [title: string, file: unknown])[] = [
  ['GO Feature Flag in version 0', { f: { percentage: 100, true: 'a', false: 'b', default: 'b' } }],
  ['Flipt', stranger('flipt.json')],
  ['Flipt', { flags: [{ key: 'f', type: 'BOOLEAN_FLAG_TYPE', enabled: false }] }],
  ['Flipt', { segments: [{ key: 's', match_type: 'ALL_MATCH_TYPE' }] }],
  ['Harness', { featureFlags: { flags: [{ flag: { identifier: 'f', kind: 'boolean' } }] } }],
  ['Harness', { data: { features: [{ identifier: 'f', defaultOnVariation: 'true', defaultOffVariation: 'false' }] } }],
  ['Harness', [{ feature: 'f', state: 'on', defaultServe: { variation: 'true' }, offVariation: 'false' }]],
  ['GrowthBook', stranger('growthbook-map.json')],
  ['GrowthBook', { features: { f: { defaultValue: true, rules: [] } } }],
  ['GrowthBook', { features: [{ id: 'f', valueType: 'boolean', defaultValue: 'true', environments: {} }] }],
  ['Split', { splits: [{ name: 'f', killed: false, defaultTreatment: 'off', conditions: [] }], since: 1, till: 2 }],
  ['Split', { ff: { d: [{ name: 'f', defaultTreatment: 'off' }], s: 1, t: 2 }, rbs: { d: [] } }],
  ['Split', [{ f: { treatment: 'on' } }]],
  ['Statsig', { feature_gates: [{ name: 'f', enabled: true, defaultValue: false, rules: [] }], dynamic_configs: [] }],
  ['Optimizely', { version: '4', rollouts: [], experiments: [], featureFlags: [{ key: 'f', rolloutId: '1' }] }],
  ['Eppo', { flags: { f: { key: 'f', enabled: true, variationType: 'BOOLEAN', variations: {}, allocations: [] } } }],
  ['Bucketeer', { features: [{ id: 'f', variations: [], defaultStrategy: {} }] }],
  ['ConfigCat', { p: {}, f: { a: { t: 0, v: { b: true } } } }],
  ['the answer of AWS AppConfig’s agent', { f: { enabled: true, size: 5 }, g: { enabled: false } }],
  ['values of a Helm chart', { version: '1', values: { ingress: { className: 'nginx' } } }],
  ['PostHog', { count: 1, results: [{ key: 'a', active: true, filters: { groups: [] } }] }],
  ['PostHog', { flags: [{ key: 'a', active: true, filters: { groups: [] } }], group_type_mapping: {} }],
  [
    'FeatBit’s management API',
    { success: true, data: { totalCount: 1, items: [{ key: 'f', variationType: 'boolean' }] } },
  ],
  ['FeatBit’s client SDKs', [{ id: 'f', variationType: 'boolean', matchReason: 'off', variationOptions: [] }]],
  [
    'FeatBit’s client SDKs',
    { data: { userKeyId: 'u', featureFlags: [{ id: 'f', variationType: 'boolean', variationOptions: [] }] } },
  ],
  ['LaunchDarkly’s client SDKs', { f: { value: true, variation: 0, version: 1, flagVersion: 2, trackEvents: false } }],
  ['GO Feature Flag’s evaluations', { f: { trackEvents: true, variationType: 'on', value: true, reason: 'STATIC' } }],
  ['Unleash’s frontend API', { toggles: [{ name: 'f', enabled: true, variant: { name: 'disabled' } }] }],
  ['Flagsmith’s client SDKs', [{ id: 1, feature: { name: 'f' }, enabled: true, feature_state_value: null }]],
  ['an OpenFeature manifest', { flags: { f: { flagType: 'boolean', defaultValue: false, description: '' } } }],
  ['an OFREP response', { flags: [{ key: 'f', value: true, reason: 'STATIC', variant: 'on' }] }],
];

describe('a file of a service', () => {
  test.each(FORMS)('%s is recognised as of exactly one service: form %#', (title, file) => {
    expect(servicesOf(flagsPart(file)).map((name) => SERVICES[name]?.title)).toEqual([title]);
  });

  test.each(OTHERS)('%s is recognised as of no service: form %#', (_, file) => {
    expect(servicesOf(flagsPart(file))).toEqual([]);
  });

  test.each(names)('%s is refused as another service’s, with the right --from', (name) => {
    expect(mistakenService(FILES[name], name)).toBeUndefined();
    for (const other of names.filter((candidate) => candidate !== name)) {
      expect(mistakenService(FILES[name], other)).toMatch(
        new RegExp(`^it has the field ".+" of .+; use --from ${name}$`),
      );
    }
  });

  test('is not refused if no service is recognised', () => {
    for (const name of [...names, 'nobody']) {
      for (const file of [null, [], {}, { flags: {} }, 'text']) expect(mistakenService(file, name)).toBeUndefined();
    }
  });
});

test.each([
  ['flags.toml', 'a = 1\n', 'TOML is not supported; convert the file to YAML or JSON first'],
  ['flags.txt', '# flags\nflags:\n  f: {}\n', 'it looks like YAML; end its name with .yaml'],
])('a text that is not JSON is refused by its format: %s', (path, text, says) => {
  expect(formatAdvice(path, text)).toContain(says);
});

/** Every position in a JSON value where another value could be. */
function placesIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  const members = Array.isArray(value) || isJsonObject(value) ? Object.entries(value) : [];
  return [path, ...members.flatMap(([name, member]) => placesIn(member, [...path, name]))];
}

function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value)) return value.map((item, n) => (String(n) === name ? replaced(item, rest, by) : item));
  return isJsonObject(value) ? { ...value, [name]: replaced(value[name], rest, by) } : value;
}

test.each(Object.entries(SERVICES).filter(([, { read }]) => read))(
  'a file of %s with anything in a place of it is read or refused',
  (name, service) => {
    const places = placesIn(FILES[name]);
    const check = () =>
      fc.assert(
        fc.property(fc.constantFrom(...places), fc.jsonValue(), (place, by) => {
          try {
            service.read?.(replaced(FILES[name], place, by));
          } catch (error) {
            if (!(error instanceof WrongForm)) throw error;
          }
        }),
        { numRuns: 1_000 },
      );
    expect(check).not.toThrow();
  },
);

test.each(Object.entries(SERVICES).filter(([, { read }]) => read))(
  'a file of %s that is nested up to the limit is read or refused',
  (name, service) => {
    const places = placesIn(FILES[name]);
    const levels = MAX_NESTING - Math.max(...places.map((place) => place.length));
    const nested = (begin: string, end: string) => JSON.parse(`${begin.repeat(levels)}true${end.repeat(levels)}`);
    for (const by of [nested('[', ']'), nested('{"!":', '}'), nested('{"and":[', ']}')]) {
      for (const place of places) {
        try {
          service.read?.(replaced(FILES[name], place, by));
        } catch (error) {
          expect(error).toBeInstanceOf(WrongForm);
        }
      }
    }
  },
);

describe('the texts of a ConfigMap', () => {
  const flags = 'flags: {f: {state: ENABLED, variants: {on: true}, defaultVariant: on}}';
  const configMap = (data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', data });
  const inner = JSON.stringify(configMap({ 'flags.yaml': flags }));

  test('are files, also in a list of resources', () => {
    const file = configMap({ 'flags.yaml': flags, other: 'text' });
    for (const each of [
      file,
      { documents: [file] },
      { apiVersion: 'v1', kind: 'List', items: [{ items: [file] }, file] },
    ])
      expect(flagsPart(each)).toMatchObject({ flags: { f: { state: 'ENABLED' } } });
  });

  test('are no ConfigMaps, whose texts would be ConfigMaps', () => {
    for (const text of [inner, JSON.stringify({ items: [configMap({ inner })] }), `---\n${inner}\n---\n${inner}\n`])
      expect(flagsPart(configMap({ text }))).not.toHaveProperty('flags');
  });

  test('expand together to a limit', () => {
    const text = `t: &t ${'x'.repeat(50_000)}\nflags:\n${Array.from({ length: 50 }, (_, n) => `  f${n}: *t\n`).join('')}`;
    const several = (count: number) =>
      configMap(Object.fromEntries(Array.from({ length: count }, (_, n) => [n, text])));
    flagsPart(several(1));
    expect(() => flagsPart(several(5))).toThrow('it is larger than 10,000,000 characters');
    expect(() => flagsPart({ items: [several(2), several(2), several(1)] })).toThrow(YamlTooLarge);
  });
});
