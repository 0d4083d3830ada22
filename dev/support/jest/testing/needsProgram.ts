import { expect, test } from '@jest/globals';
import { program } from '../../requirement.ts';
import { describeWith } from '../describeWith.ts';

/* Test file for describeWith.test.ts. */

test('is there', () => expect(true).toBe(true));

const describeWithProgram = await describeWith(program('sh'), program('no-such-program'));
describeWithProgram('what needs a program', () => {
  test.each([1, 2])('is skipped (%i)', () => expect(true).toBe(false));
});
