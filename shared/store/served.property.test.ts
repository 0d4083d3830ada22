import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { copyFlags } from '../describe/copyFlags.ts';
import { asDeleted, withoutDeleted } from '../flags/deletion.ts';
import { byKind, type Document } from '../flags/document.ts';
import { parseUser, type User } from '../flags/user.ts';
import { compileEnvironment, resultsByKey } from '../testing/evaluate.ts';
import { type EvaluatorVectors, evaluatorVectors, parseDocuments, type RawDocuments } from '../testing/fixtures.ts';
import { longRuns } from '../testing/runs.ts';
import { requireDocument } from './documents/item.ts';
import { newEnvironment, store, useStore } from './testing/testStore.ts';
import { testEffects } from './testing/testTables.ts';

useStore(testEffects());

// biome-ignore lint/suspicious/noExplicitAny: documents as FeatBit serves them, before they are parsed.
type Raw = any;

/** What FeatBit stores and serves besides usual documents, as changes of a flag. */
const HABITS: Readonly<Record<string, (flag: Raw) => Raw>> = {
  'two equal variations': (flag) => {
    const [first] = flag.variations;
    const disabledVariationId = 'equal';
    return { ...flag, variations: [...flag.variations, { ...first, id: 'equal' }], disabledVariationId };
  },
  'all variations equal': (flag) => ({
    ...flag,
    variations: flag.variations.map(({ id }: Raw) => ({ id, name: 'same', value: 'same' })),
  }),
  'variations without names': (flag) => ({
    ...flag,
    variations: flag.variations.map(({ name, ...variation }: Raw) => ({ ...variation, name: null })),
  }),
  'values of another type': (flag) => ({ ...flag, variationType: 'boolean' }),
  'rules without ids and names': (flag) => ({
    ...flag,
    rules: flag.rules.map((rule: Raw) => ({ ...rule, id: null, name: null })),
  }),
  'conditions without ids and attributes': (flag) => ({
    ...flag,
    rules: flag.rules.map((rule: Raw) => ({
      ...rule,
      conditions: rule.conditions.map((each: Raw) => ({ ...each, id: null, property: each.op ? '' : each.property })),
    })),
  }),
  'tags of blanks, twice': (flag) => ({ ...flag, tags: ['web', 'web', ' ', ''] }),
};

const environment: fc.Arbitrary<EvaluatorVectors> = fc
  .tuple(fc.constantFrom(...evaluatorVectors()), fc.infiniteStream(fc.subarray(Object.values(HABITS))))
  .map(([vectors, habits]) => ({
    ...vectors,
    flags: vectors.flags.map((flag) => {
      const { value = [] } = habits.next();
      return value.reduce((changed: Raw, habit: (flag: Raw) => Raw) => habit(changed), flag);
    }),
  }));

/** What each user gets of each flag that is neither archived nor deleted, by key. */
function results(documents: readonly Document[], users: readonly User[], keys: ReadonlySet<string>): unknown[] {
  const { flags, segments } = byKind(withoutDeleted(documents));
  const snapshot = compileEnvironment(flags, { segments });
  // Ids and versions differ between environments.
  const shown = (json: string) => {
    const { variation, matchReason, sendToExperiment } = JSON.parse(json);
    return [variation, matchReason, sendToExperiment];
  };
  return users.map((user) =>
    [...resultsByKey(snapshot, user)]
      .filter(([key]) => keys.has(key))
      .map(([key, json]) => [key, ...shown(json)])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const documentsOf = ({ flags, segments }: ReturnType<typeof parseDocuments>): Document[] => [
  ...segments.map((document): Document => ({ kind: 'segment', document })),
  ...flags.map((document): Document => ({ kind: 'flag', document })),
];

const load = async (envId: string) => (await store.documents.load(envId)).map(requireDocument);

test('all that FeatBit serves survives import, export, copy, deletion and undo, with the same values', async () => {
  const property = fc.asyncProperty(environment, async (vectors) => {
    const served = documentsOf(parseDocuments(vectors));
    const users = vectors.users.flatMap((user) => parseUser(user) ?? []);
    const flags = byKind(served).flags.filter(({ isArchived }) => !isArchived);
    const keys = new Set(flags.map(({ key }) => key));
    const expected = results(served, users, keys);

    const first = await newEnvironment();
    await store.documents.import(first, served);
    const stored = await load(first);
    expect(results(stored, users, keys)).toEqual(expected);

    const exported: RawDocuments = JSON.parse(JSON.stringify(byKind(stored)));
    const second = await newEnvironment();
    await store.documents.import(second, documentsOf(parseDocuments(exported)));
    expect(results(await load(second), users, keys)).toEqual(expected);

    const third = await newEnvironment();
    const source = { name: 'first', documents: stored };
    const present = byKind(stored).segments.map((segment): Document => {
      return { kind: 'segment', document: { ...segment, isArchived: false } };
    });
    await store.documents.import(third, present);
    const target = { name: 'third', documents: await load(third) };
    await store.documents.writeAll(third, () =>
      copyFlags([...keys], source, target, store.effects.uuid, 'targeting and state'),
    );
    expect(results(await load(third), users, keys)).toEqual(expected);

    const [deleted] = await store.documents.writeAll(first, (all) =>
      byKind(all).flags.map((document) => ({ kind: 'flag', document: asDeleted(document) })),
    );
    expect(results(await load(first), users, keys).flat()).toEqual([]);
    await store.history.undo(first, deleted?.updatedAt ?? 0);
    expect(results(await load(first), users, keys)).toEqual(expected);
  });
  await fc.assert(property, { numRuns: longRuns(40) });
});
