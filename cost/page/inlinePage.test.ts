import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { inlinePage } from './inlinePage.ts';

const directory = mkdtempSync(join(tmpdir(), 'flagwire-page-'));
afterAll(() => rmSync(directory, { recursive: true }));

test('title, data and script are text that ends nothing of the page', () => {
  const [script, style] = [join(directory, 'a.ts'), join(directory, 'a.css')];
  writeFileSync(script, 'console.log("</script><!--");');
  writeFileSync(style, 'p { color: red; }');
  const page = inlinePage({ title: 'A <b> & C', script, style, data: { name: '</script>' } });
  expect(page).toContain('<title>A &#60;b&#62; &#38; C</title>');
  expect(page).toContain('{"name":"\\u003c/script>"}');
  expect(page).toContain('p{color:red}');
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  expect(page).not.toContain('<!--');
});
