import { expect, test } from '@jest/globals';
import { initials } from './initials.ts';

test.each([
  ['root@vm', 'R'],
  ['ann.miller@acme.com', 'AM'],
  ['jean-luc.de.la.cruz@acme.com', 'JL'],
  ['arn:aws:sts::123456789012:assumed-role/Editor/zoë.weiß@acme.com (ann@laptop)', 'ZW'],
  ['arn:aws:iam::123456789012:user/bob (bob@desk)', 'B'],
  ['plan p-1a2b of ann@laptop', 'A'],
  ['you', 'Y'],
  ['your plan', 'YP'],
  ['', '?'],
])('shortens %s to %s', (by, short) => expect(initials(by)).toBe(short));
