import { afterEach, describe, expect, test } from '@jest/globals';
import type { EvaluationContext, EvaluationDetails, FlagValue } from '@openfeature/server-sdk';
import type { Document } from '../../../../shared/flags/document.ts';
import type { VariationType } from '../../../../shared/flags/flag.ts';
import { until } from '../../../../shared/testing/until.ts';
import { type DescribeCases, describeWith } from '../../../support/jest/describeWith.ts';
import type { LineProcess } from '../clients/lineProcess.ts';
import {
  closeOpenFeatureWeb,
  go,
  openFeatureGo,
  openFeaturePython,
  openFeatureServer,
  openFeatureTable,
  type ProviderDetails,
  startOpenFeatureWeb,
  type ValueType,
} from '../clients/openFeature.ts';
import { python } from '../clients/pythonProcess.ts';
import type { GetTarget } from '../target.ts';
import { simpleFlag, Workspace } from '../workspace.ts';

/** Two values of each type: what a flag gives while it is on, and while it is off. The latter are what code tests for. */
const VALUES: readonly {
  readonly type: ValueType;
  readonly variationType: VariationType;
  readonly on: FlagValue;
  readonly off: FlagValue;
  readonly texts: readonly [string, string];
}[] = [
  { type: 'boolean', variationType: 'boolean', on: true, off: false, texts: ['true', 'false'] },
  { type: 'string', variationType: 'string', on: 'blue', off: '', texts: ['blue', ''] },
  { type: 'integer', variationType: 'number', on: 42, off: 0, texts: ['42', '0'] },
  { type: 'float', variationType: 'number', on: 1.5, off: 0, texts: ['1.5', '0.0'] },
  { type: 'object', variationType: 'json', on: { size: [1, 2] }, off: {}, texts: ['{"size":[1,2]}', '{}'] },
];

/** Flags of each type: on, off, and without a variation for any user. */
const DOCUMENTS: readonly Document[] = VALUES.flatMap(({ type, variationType, texts: [on, off] }) => {
  const flag = (key: string, isEnabled: boolean) =>
    simpleFlag(key, {
      variationType,
      isEnabled,
      variations: [
        { id: `${key}-true`, name: 'on', value: on },
        { id: `${key}-false`, name: 'off', value: off },
      ],
    });
  const fallthrough = { dispatchKey: null, includedInExpt: true, variations: [] };
  return [flag(`on-${type}`, true), flag(`off-${type}`, false), { ...flag(`none-${type}`, true), fallthrough }];
}).map((document) => ({ kind: 'flag', document }));

const USER = { targetingKey: 'u1' };

/** Asks a provider for a flag of a type, with the default of the code. */
type Ask = (type: ValueType, key: string, fallback: FlagValue) => Promise<ProviderDetails>;

/** The processes of a test. */
const running: LineProcess<ProviderDetails>[] = [];

/** OpenFeature's providers for OFREP that the suite runs, and Flagwire's own. */
const PROVIDERS: readonly (readonly [
  name: string,
  describeCases: DescribeCases,
  start: (workspace: Workspace) => Promise<Ask>,
])[] = [
  ['OFREP for servers in JavaScript', describe, async (workspace) => asker(await openFeatureServer(workspace), USER)],
  ['the table in its process', describe, async (workspace) => asker(await openFeatureTable(workspace), USER)],
  [
    'OFREP for browsers',
    describe,
    async (workspace) => asker((await startOpenFeatureWeb(workspace, workspace.clientKey, USER)).client),
  ],
  [
    'OFREP for Python',
    await describeWith(python),
    async (workspace) => processAsker(await openFeaturePython(workspace)),
  ],
  ['OFREP for Go', await describeWith(go), async (workspace) => processAsker(await openFeatureGo(workspace))],
];

/**
 * Values that providers give where the default of the code is another one: a provider that ignores the answer of the service
 * passes no case. Go's gives the default for every answer whose reason is `DISABLED`.
 */
export function ofrepValueCases(target: GetTarget): void {
  for (const [name, describeCases, start] of PROVIDERS)
    describeCases(`the provider of ${name}`, () => {
      afterEach(async () => {
        for (const each of running.splice(0)) each.close();
        await closeOpenFeatureWeb();
      });

      test('gives each type of flag, on and off, against the default of the code', async () => {
        const ask = await start(await Workspace.create(target(), DOCUMENTS));
        for (const { type, on, off } of VALUES) {
          for (const [key, value, fallback, variant] of [
            [`on-${type}`, on, off, `on-${type}-true`],
            [`off-${type}`, off, on, `off-${type}-false`],
          ] as const) {
            const expected = { value, variant, reason: 'STATIC' };
            expect([key, await ask(type, key, fallback)]).toEqual([key, expect.objectContaining(expected)]);
          }
        }
      });

      test('gives the default of the code where nobody gets a variation', async () => {
        const ask = await start(await Workspace.create(target(), DOCUMENTS));
        for (const { type, on } of VALUES) {
          expect([type, await ask(type, `none-${type}`, on)]).toEqual([type, expect.objectContaining({ value: on })]);
        }
      });

      test('follows a flag that is switched off and on, against the default of the code', async () => {
        const workspace = await Workspace.create(target(), DOCUMENTS);
        const ask = await start(workspace);
        for (const value of [false, true]) {
          await workspace.toggle('on-boolean');
          const details = await until(
            () => ask('boolean', 'on-boolean', !value),
            (current) => current.value === value,
          );
          expect(details.variant).toBe(`on-boolean-${value}`);
        }
      });
    });
}

/** Methods of the clients of both JavaScript SDKs. */
const METHODS = {
  boolean: 'getBooleanDetails',
  string: 'getStringDetails',
  integer: 'getNumberDetails',
  float: 'getNumberDetails',
  object: 'getObjectDetails',
} as const;
/** The client for browsers ignores the context. */
type Details = (key: string, fallback: never, context?: never) => Awaitable<EvaluationDetails<FlagValue>>;
type Awaitable<T> = T | Promise<T>;

function asker(client: Readonly<Record<(typeof METHODS)[ValueType], Details>>, context?: EvaluationContext): Ask {
  return async (type, key, fallback) => {
    const details = await client[METHODS[type]](key, fallback as never, context as never);
    const { value, variant = null, reason = null } = details;
    return { value, variant, reason };
  };
}

function processAsker(provider: LineProcess<ProviderDetails>): Ask {
  running.push(provider);
  return (type, key, fallback) => provider.askLine(JSON.stringify({ type, key, default: fallback, context: USER }));
}
