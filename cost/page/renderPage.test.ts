import { expect, test } from '@jest/globals';
import { type CostPageData, renderCostPage } from './renderPage.ts';

test('data and script are text that ends nothing of the page', () => {
  const page = renderCostPage({ workload: '</script><!--' } as unknown as CostPageData);
  expect(page).toContain('{"workload":"\\u003c/script>\\u003c!--"}');
  expect(page.match(/<\/script>/g)).toHaveLength(2);
  expect(page).not.toContain('<!--');
});
