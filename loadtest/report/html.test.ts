import { expect, test } from '@jest/globals';
import { escapeHtml } from './html.ts';

test('whatever is given stands in a page as text', () => {
  expect(escapeHtml(`&<>"'`)).toBe('&#38;&#60;&#62;&#34;&#39;');
});
