import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { repositoryRoot } from '../../infra/repository.ts';
import { listUnmeasured, renderMarks } from './marks.ts';
import { RENDERERS, renderPages } from './pages.ts';

const pages = renderPages();

test.each(pages)('%s shows the figures of its results; npm run docs writes it', (path, content) => {
  expect(content).toBe(readFileSync(join(repositoryRoot, path), 'utf8'));
});

describe('a page', () => {
  const page = 'A month costs <!--=idle:t2-->$1.00<!--/-->.\n<!-- table: sizes -->\n\n| 12 | $1 |\n\n<!-- end -->\n';
  const [table, figure] = [() => '| 12 | $13.98 |', () => '$28.57'];

  test('gets the tables and figures between its marks, and keeps the rest', () => {
    const rendered = renderMarks(page, { table, figure });
    expect(rendered).toBe(page.replace('$1.00', '$28.57').replace('| $1 |', '| $13.98 |'));
    expect(renderMarks(rendered, { table, figure })).toBe(rendered);
  });

  test('differs from its results when a figure is changed in one place', () => {
    const [, readme = ''] = pages.find(([path]) => path === 'README.md') ?? [];
    const changed = readme.replace(/(?<=-->)[\d.]+(?=<!--[/]-->)/, '5.5');
    expect(changed).not.toBe(readme);
    expect(renderMarks(changed, RENDERERS)).toBe(readme);
  });

  test('may not name a table or a figure that does not exist', () => {
    const render = (text: string) => () => renderMarks(text, RENDERERS);
    expect(render(page.replace('table: sizes', 'table: other'))).toThrow('there is no table named other');
    expect(render('x <!--=peers/flagwire:figures.none-->1<!--/-->')).toThrow('no results file has the figure');
    expect(render('x <!--=comparison:p99@none-->1<!--/-->')).toThrow('the comparison has no p99@none');
  });

  test('names its figures that are not measured yet', () => {
    expect(listUnmeasured('| –<!-- peers/sizes:scale.mostHeld --> in –<!-- a:b -->, – | –, <!-- table: x -->')).toEqual(
      ['peers/sizes:scale.mostHeld', 'a:b'],
    );
  });

  test('may not begin a line with a figure, which Markdown would not format', () => {
    expect(() => renderMarks('<!--=idle:t2-->$1.00<!--/--> a month', { table, figure })).toThrow('a line begins');
  });
});
