import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { asDeleted } from '../flags/deletion.ts';
import { byKind, type Document, documentName } from '../flags/document.ts';
import type { Flag } from '../flags/flag.ts';
import type { Segment } from '../flags/segment.ts';
import type { User } from '../flags/user.ts';
import { documentsArbitrary } from '../testing/arbitraries/environment.ts';
import { userArbitrary } from '../testing/arbitraries/user.ts';
import { aFlag, aSegment } from '../testing/builders.ts';
import { compileEnvironment } from '../testing/evaluate.ts';
import { runs } from '../testing/runs.ts';
import { compareFlags, compareSegments } from './compareFlags.ts';
import { type CopyEnvironment, copyFlags } from './copyFlags.ts';

const asEnvironment = (name: string, flags: readonly Flag[], rest: readonly Document[] = []): CopyEnvironment => ({
  name,
  documents: [...rest, ...flags.map((document): Document => ({ kind: 'flag', document }))],
});

test('compares flags by key, without deleted flags and those archived in both', () => {
  const archived = { isArchived: true };
  const source = asEnvironment('staging', [
    aFlag({ key: 'same', id: 'one' }),
    aFlag({ key: 'different', isEnabled: true }),
    aFlag({ key: 'new' }),
    aFlag({ key: 'over', ...archived }),
    aFlag({ key: 'restored' }),
    asDeleted(aFlag({ key: 'deleted' })),
  ]);
  const target = asEnvironment('production', [
    aFlag({ key: 'same', id: 'other' }),
    aFlag({ key: 'different', isEnabled: false }),
    aFlag({ key: 'old' }),
    aFlag({ key: 'over', ...archived }),
    aFlag({ key: 'restored', ...archived }),
    aFlag({ key: 'deleted' }),
  ]);
  expect(compareFlags(source, target)).toEqual([
    { key: 'deleted', state: 'only in target', changes: [] },
    { key: 'different', state: 'different', changes: [{ label: 'Switch', before: 'off', after: 'on' }] },
    { key: 'new', state: 'only in source', changes: expect.any(Array) },
    { key: 'old', state: 'only in target', changes: [] },
    { key: 'restored', state: 'different', changes: [], problem: expect.stringContaining('archived in "production"') },
    { key: 'same', state: 'same', changes: [] },
  ]);
});

test('compares segments by id, else by name, without deleted ones', () => {
  const asSegments = (name: string, ...segments: Segment[]) =>
    asEnvironment(
      name,
      [],
      segments.map((document): Document => ({ kind: 'segment', document })),
    );
  const source = asSegments(
    'staging',
    aSegment({ id: 'same', name: 'Same' }),
    aSegment({ id: 'one', name: 'Beta', included: ['ann'] }),
    aSegment({ id: 'new', name: 'Alpha' }),
    asDeleted(aSegment({ id: 'deleted', name: 'Deleted' })),
  );
  const target = asSegments(
    'production',
    aSegment({ id: 'same', name: 'Same' }),
    aSegment({ id: 'other', name: 'Beta', included: [] }),
    aSegment({ id: 'old', name: 'Old' }),
  );
  expect(compareSegments(source, target)).toEqual([
    { key: 'Alpha', state: 'only in source', changes: expect.any(Array) },
    { key: 'Beta', state: 'different', changes: [expect.objectContaining({ label: 'Included users', after: 'ann' })] },
    { key: 'Old', state: 'only in target', changes: [] },
  ]);
});

test('a copied flag is equal in both environments, for users too', () => {
  const law = fc.property(documentsArbitrary(3), documentsArbitrary(3), userArbitrary, (from, to, user) => {
    const source = asEnvironment('staging', from.flags.map(present), segmentsOf(from));
    // Half of the target's flags have keys of the source. Segments are matched by name.
    const flags = to.flags.map((flag, n) =>
      present(n % 2 === 0 ? { ...flag, key: from.flags[n]?.key ?? flag.key } : flag),
    );
    const target = asEnvironment('production', flags, segmentsOf(from, 'their-'));
    const keys = from.flags.map(({ key }) => key);
    const written = copyFlags(keys, source, target, () => 'new-id', 'targeting and state');
    const names = new Set(written.map(documentName));
    const after = {
      ...target,
      documents: [...target.documents.filter((each) => !names.has(documentName(each))), ...written],
    };
    const states = new Map(compareFlags(source, after).map(({ key, state }) => [key, state]));
    for (const key of keys) expect(states.get(key)).toBe('same');
    expect(valuesOf(after, keys, user)).toEqual(valuesOf(source, keys, user));
    expect(copyFlags(keys, source, after, () => 'newer-id', 'targeting and state')).toEqual(written);
  });
  fc.assert(law, { numRuns: runs(200) });
});

function present(flag: Flag): Flag {
  return { ...flag, isArchived: false };
}

/** Segments with other ids, if a prefix is given. */
function segmentsOf({ segments }: { readonly segments: readonly Segment[] }, prefix = ''): Document[] {
  return segments.map((segment) => ({
    kind: 'segment',
    document: { ...segment, id: prefix + segment.id, isArchived: false },
  }));
}

function valuesOf({ documents }: CopyEnvironment, keys: readonly string[], user: User): Record<string, string | null> {
  const { flags, segments } = byKind(documents);
  const compiled = compileEnvironment(flags, { segments }).flags;
  return Object.fromEntries(
    compiled.flatMap((flag) =>
      keys.includes(flag.document.key) ? [[flag.document.key, flag.evaluate(user).value]] : [],
    ),
  );
}
