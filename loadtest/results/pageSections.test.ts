import { expect, test } from '@jest/globals';
import { withSection } from './pageSections.ts';

const page = '# Title\n\nWhat it is.\n\n## One\n\nold\n\n### Part\n\nold too\n\n## Two\n\nkept\n';

test('a section is replaced with all of its parts, and the others are kept', () => {
  expect(withSection(page, 'One', 'new\n')).toBe('# Title\n\nWhat it is.\n\n## One\n\nnew\n\n## Two\n\nkept\n');
});

test('a section that is missing comes last; the same again changes nothing', () => {
  const longer = withSection(page, 'Three', 'new');
  expect(longer).toBe(`${page}\n## Three\n\nnew\n`);
  expect(withSection(longer, 'Three', 'new')).toBe(longer);
});
