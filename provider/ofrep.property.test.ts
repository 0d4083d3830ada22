import { expect, test } from '@jest/globals';
import type { EvaluationContext } from '@openfeature/server-sdk';
import fc from 'fast-check';
import { aHttp } from '../functions/http/testing/http.ts';
import { service, useService } from '../functions/testing/fixture.ts';
import type { VariationType } from '../shared/flags/variationValue.ts';
import { writeUnchecked } from '../shared/store/testing/testTables.ts';
import { documentsArbitrary } from '../shared/testing/arbitraries/environment.ts';
import { ATTRIBUTES } from '../shared/testing/arbitraries/user.ts';
import { runs } from '../shared/testing/runs.ts';
import { FlagwireProvider } from './provider.ts';

useService();

/** Values of variations, also those that are not of their type, and numbers with many digits. */
const VALUES: Readonly<Record<VariationType, readonly string[]>> = {
  boolean: ['true', 'false', ' TRUE ', 'yes'],
  string: ['', 'a "b" \ud83d\ude00', '1'],
  number: ['1', '-0', '1.50', '007', '12345678901234567890', '0.1', 'x'],
  json: ['{"a":[1,{"b":null}]}', 'null', '[]', '5', '"text"', 'true', '{"n":12345678901234567890}', '{'],
};

/** Attributes as code may have them. JSON changes or leaves out some of them. */
const oddValue = fc.oneof(
  fc.constantFrom<unknown>(...Object.values(ATTRIBUTES).flat()),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.constantFrom<unknown>(
    null,
    undefined,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -0,
    1e21,
    1e-7,
    18,
    30.5,
    true,
    false,
  ),
  fc.date({ noInvalidDate: false }),
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom<unknown>(new Map([['a', 1]]), () => 1, Symbol('s'), new String('pro'), { toJSON: () => 'us' }),
);
const contextArbitrary = fc
  .record(
    {
      targetingKey: fc.oneof(
        fc.nat(60).map((n) => `user-${n}`),
        fc.constantFrom<unknown>('', ' ', '\ufeff', '\u0085', null, undefined, 7, ['u']),
      ),
      name: oddValue,
      ...Object.fromEntries(Object.keys(ATTRIBUTES).map((name) => [name, oddValue])),
      keyId: oddValue,
      ['__proto__x']: oddValue,
    },
    { requiredKeys: [] },
  )
  .map((context) => context as EvaluationContext);

const environmentArbitrary = documentsArbitrary(4).chain(({ flags, segments }) =>
  fc
    .tuple(
      ...flags.map((flag) =>
        fc.constantFrom(...(Object.keys(VALUES) as VariationType[])).chain((variationType) =>
          fc
            .array(fc.constantFrom(...VALUES[variationType]), {
              minLength: flag.variations.length,
              maxLength: flag.variations.length,
            })
            .map((values) => ({
              ...flag,
              variationType,
              variations: flag.variations.map((variation, n) => ({ ...variation, value: values[n] ?? '' })),
            })),
        ),
      ),
    )
    .map((typed) => ({ flags: typed, segments })),
);

/** What OFREP's clients make of an answer. */
async function askOfrep(secret: string, key: string, context: EvaluationContext): Promise<object> {
  const response = await aHttp().ask(`/ofrep/v1/evaluate/flags/${encodeURIComponent(key)}`, {
    secret: null,
    body: { context },
    headers: { authorization: `Bearer ${secret}` },
  });
  const {
    value = 'no value',
    variant,
    reason,
    metadata,
    errorCode,
  } = (await response.json()) as Record<string, unknown>;
  return errorCode ? { errorCode } : { value, variant, metadata, reason: reason === 'UNKNOWN' ? 'DEFAULT' : reason };
}

/** The same of the provider, asked for the type that the value has. */
async function askProvider(provider: FlagwireProvider, key: string, context: EvaluationContext): Promise<object> {
  const answers = [
    await provider.resolveObjectEvaluation<never>(key, {} as never, context),
    await provider.resolveBooleanEvaluation(key, false, context),
    await provider.resolveStringEvaluation(key, 'no value', context),
    await provider.resolveNumberEvaluation(key, 0, context),
  ];
  const answer = answers.find(({ errorCode }) => errorCode !== 'TYPE_MISMATCH');
  if (!answer) throw new Error(`no type fits flag ${key}`);
  const { value, variant, reason, errorCode } = answer;
  if (errorCode) return { errorCode };
  const { exactValue: _, ...metadata } = answer.flagMetadata ?? {};
  return { value: reason === 'DISABLED' ? 'no value' : value, variant, reason, metadata };
}

test('answers equal those of OFREP for any context', async () => {
  await fc.assert(
    fc.asyncProperty(
      environmentArbitrary,
      fc.array(contextArbitrary, { minLength: 1, maxLength: 9 }),
      async ({ flags, segments }, contexts) => {
        const { environment, secrets } = await service.store.environments.create(`env ${service.effects.uuid()}`);
        const documents = [
          ...segments.map((document) => ({ kind: 'segment' as const, document })),
          ...flags.map((document) => ({ kind: 'flag' as const, document })),
        ];
        for (const document of documents) await writeUnchecked(service.store, environment.id, document);
        const provider = new FlagwireProvider({
          table: service.store.tables.flags,
          environment: environment.id,
          region: 'us-east-1',
          logger: { error: () => {}, warn: () => {}, info: () => {}, debug: () => {} },
          deps: { effects: service.effects, client: service.store.tables.client },
        });
        await provider.initialize();
        for (const context of contexts)
          for (const { key } of [...flags, { key: 'none' }])
            expect(await askProvider(provider, key, context)).toEqual(
              await askOfrep(secrets[0]?.value ?? '', key, context),
            );
      },
    ),
    { numRuns: runs(20) },
  );
});
