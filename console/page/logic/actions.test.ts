import { expect, test } from '@jest/globals';
import { changesOf } from '../../../shared/describe/documentChanges.ts';
import { CHANGE_ACTIONS } from '../../../shared/flags/changeAction.ts';
import { asDeleted } from '../../../shared/flags/deletion.ts';
import type { ChangedDocument } from '../../history.ts';
import { aFlag } from '../testing/documents.ts';
import { buttonText, doneText, groupAlike, kindText, undoneChanges, undoText, withoutAction } from './actions.ts';

test('a button says what it does, and a message what was done', () => {
  expect(CHANGE_ACTIONS.map((action) => `${buttonText(action, 'flag')}: ${doneText(action, 'f')}`)).toEqual([
    'Create flag: Created f',
    'Save: Saved f',
    'Turn on: Turned on f',
    'Turn off: Turned off f',
    'Archive: Archived f',
    'Restore: Restored f',
    'Delete flag: Deleted f',
  ]);
  expect(buttonText('deleted', 'segment')).toBe('Delete segment');
});

test('names the number of flags and segments that undo changes, if there are several', () => {
  const [change] = [{ documents: [{}] as never, moreDocuments: 0 }];
  expect([undoText(change), undoText({ ...change, moreDocuments: 5 })]).toEqual(['Undo', 'Undo all 6']);
});

test('changes that the action names are left out, others stay', () => {
  const before = { kind: 'flag', document: aFlag() } as const;
  const after = asDeleted({ ...before.document, name: 'Other' });
  const changes = changesOf(before, { kind: 'flag', document: after });
  expect(changes.map(({ label }) => label)).toEqual(['Deleted', 'Archived', 'Name']);
  expect(withoutAction(changes).map(({ label }) => label)).toEqual(['Name']);
});

test('undoing turns a change round, and archives what it created', () => {
  const changed = { kind: 'flag', id: 'f', action: 'turned on', moreChanges: 0 } as const;
  const changes = [{ label: 'Switch', before: 'off', after: 'on' }];
  expect(undoneChanges({ ...changed, isNew: false, changes })).toEqual([
    { label: 'Switch', before: 'on', after: 'off' },
  ]);
  expect(undoneChanges({ ...changed, isNew: true, changes: [] })).toEqual([
    { label: 'Archived', before: 'no', after: 'yes' },
  ]);
});

test('groups documents that were changed alike, in order, and leaves others alone', () => {
  const changed = (id: string, fields: Partial<ChangedDocument> = {}): ChangedDocument => ({
    kind: 'flag',
    id,
    isNew: false,
    action: 'turned off',
    changes: [{ label: 'Switch', before: 'on', after: 'off' }],
    moreChanges: 0,
    ...fields,
  });
  const groups = groupAlike(
    [
      changed('a'),
      changed('b', { action: 'edited', changes: [{ label: 'Name', before: 'b', after: 'B' }] }),
      changed('c'),
      changed('d', { kind: 'segment' }),
      changed('e', { moreChanges: 1 }),
      changed('f', { isNew: true, action: 'created', changes: [] }),
      changed('g', { isNew: true, action: 'created', changes: [] }),
    ],
    ({ changes }) => changes,
  );
  expect(groups.map((group) => `${kindText(group)} ${group.documents.map(({ id }) => id)}`)).toEqual([
    'flags a,c',
    'flag b',
    'segment d',
    'flag e',
    'flags f,g',
  ]);
  expect(groups[0]?.changes).toEqual([{ label: 'Switch', before: 'on', after: 'off' }]);
});
