import { describe, expect, test } from '@jest/globals';
import { CALL_START, CALL_WITH_KEY } from './search.ts';

const keysIn = (code: string) => [...code.matchAll(CALL_WITH_KEY)].map(({ groups }) => groups?.['key']);

describe('calls of SDKs', () => {
  test.each([
    // FeatBit: Node, browser, Java, Go, .NET, Python
    `await client.boolVariation('k', user, false)`,
    `client.variation<string>("k", user, "")`,
    'client.jsonVariationDetail(`k`, user, {})',
    `client.longVariation("k", user, 1L);`,
    `value, detail, err := client.BoolVariation("k", user, false)`,
    `client.DoubleVariation( key: "k", user, defaultValue: 1.5)`,
    `get().variation('k', user, default=False)`,
    `client.variation_detail("k", user, None)`,
    // OpenFeature: JavaScript, React, Java, .NET, Python, Rust, Go
    `client.getBooleanValue('k', false)`,
    `client.getNumberDetails<number>('k', 0)`,
    `const { value } = useBooleanFlagDetails('k', false);`,
    `const flag = useFlag("k", 0);`,
    `useSuspenseFlag('k', '')`,
    `client.getIntegerValue("k", 1, context)`,
    `await client.GetStringValueAsync("k", "")`,
    `client.get_boolean_value("k", False)`,
    `await client.get_object_details_async(flag_key="k", default_value={})`,
    `client.get_struct_value::<T>("other"); client.get_int_value("k", None, None)`,
    `client.BooleanValue(ctx, "k", false, evalCtx)`,
    `client.ObjectValueDetails(r.Context(), "k", nil, evalCtx)`,
    `client.StringValue(context.Background(), "k", "", evalCtx)`,
  ])('have the key: %s', (code) => {
    expect(keysIn(code)).toEqual(['k']);
  });

  test.each([
    `client.boolVariation(KEY, user, 'blue')`,
    `client.stringVariation(key, user, "blue")`,
    `client.boolVariation(\`k-\${n}\`, user)`,
    `client.boolVariation('two words', user)`,
    `client.boolVariation('k" , user)`,
    `myvariation('k')`,
    `$variation('k')`,
    `variationOf('k')`,
    `getValue('k')`,
  ])('have no key: %s', (code) => {
    expect(keysIn(code)).toEqual([]);
  });

  test('can have the key on the next line', () => {
    for (const code of [
      'client.boolVariation(',
      'client.variation<string>(',
      'client.BooleanValue(',
      'x.BooleanValue(ctx,',
    ]) {
      expect([code, CALL_START.test(code)]).toEqual([code, true]);
    }
    for (const code of ['client.boolVariation()', 'client.boolVariation(key,', 'client.other(']) {
      expect([code, CALL_START.test(code)]).toEqual([code, false]);
    }
  });
});
