import { expect, test } from '@jest/globals';
import { aFlag, aSegment } from '../testing/builders.ts';
import { changeAction } from './changeAction.ts';

const flag = aFlag({ isEnabled: false });

test.each([
  ['created', undefined, flag],
  ['edited', flag, { ...flag, name: 'other' }],
  ['turned on', flag, { ...flag, isEnabled: true, name: 'other' }],
  ['turned off', { ...flag, isEnabled: true }, flag],
  ['archived', flag, { ...flag, isArchived: true }],
  ['restored', aSegment({ isArchived: true }), aSegment({})],
  ['edited', aSegment({}), aSegment({ included: ['ann'] })],
])('%s', (action, before, after) => expect(changeAction(before, after)).toBe(action));
