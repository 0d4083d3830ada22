import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import type { EvaluationContext } from '@openfeature/server-sdk';
import type { Document } from '../../../shared/flags/document.ts';
import { aRollout, aRule, share } from '../../../shared/testing/builders.ts';
import { shortCases } from './cases/all.ts';
import { openFeatureServer, openFeatureTable } from './clients/openFeature.ts';
import { type EmulatedStack, startStack } from './emulated.ts';
import { simpleFlag, Workspace } from './workspace.ts';

jest.setTimeout(60_000);

let stack: EmulatedStack;
beforeAll(async () => {
  stack = await startStack();
});
afterAll(() => stack.close());

shortCases(() => stack);

/** Conditions on attributes that are odd in some contexts. */
const CONDITIONS = ['age', 'nested', 'keyId'].flatMap((property) => [
  { property, op: 'Equal', value: '25' },
  { property, op: 'NotEqual', value: 'null' },
  { property, op: 'BiggerThan', value: '9007199254740992' },
  { property, op: 'MatchRegex', value: '^[0-9a-z"\\[{]+' },
  { property, op: 'IsOneOf', value: '["25","true","u1",""]' },
]);

const USER = { targetingKey: 'u1' };

/** Contexts that may be read in different ways. Requests of OFREP also have a maximum size. */
const ODD_CONTEXTS = [
  {},
  { targetingKey: '' },
  { targetingKey: ' u1 ' },
  { keyId: 'u1', name: 'a' },
  { targetingKey: 'u1', keyId: 'u2', name: '' },
  ...[25, 25.0001, -0, 1e21, 2 ** 53, Number.NaN, '25', ' 25', '２５', true, false, null, undefined].map((age) => ({
    ...USER,
    age,
    name: age,
  })),
  { ...USER, nested: { a: [1, { b: null }] }, name: ['a', 25] },
  { ...USER, nested: new Date(0), '': '25' },
  { ...USER, name: 'a\ud800', age: 'İ'.repeat(300) },
  { ...USER, ...JSON.parse('{"__proto__":"a","constructor":"25"}') },
] as readonly EvaluationContext[];

test('the provider of the table gives what that of OFREP gives, for odd contexts', async () => {
  const flags = CONDITIONS.map((condition, n) => {
    const rules = [aRule([condition], aRollout(share(`odd-${n}-false`)))];
    return { ...simpleFlag(`odd-${n}`), rules };
  });
  const half = aRollout(share('half-true', 0, 0.5), share('half-false', 0.5, 1));
  flags.push({ ...simpleFlag('half'), rules: [], fallthrough: half });
  const documents = flags.map((document): Document => ({ kind: 'flag', document }));
  const workspace = await Workspace.create(stack, documents);
  const clients = [await openFeatureTable(workspace), await openFeatureServer(workspace)];
  for (const context of ODD_CONTEXTS) {
    const [byTable, byOfrep] = await Promise.all(
      clients.map((client) =>
        Promise.all(
          flags.map(async ({ key }) => {
            const { errorMessage: _, ...details } = await client.getBooleanDetails(key, false, context);
            // OFREP has no reason for the default rule; OpenFeature's SDKs have one.
            return { ...details, reason: details.reason === 'UNKNOWN' ? 'DEFAULT' : details.reason };
          }),
        ),
      ),
    );
    expect([context, byTable]).toEqual([context, byOfrep]);
  }
});
