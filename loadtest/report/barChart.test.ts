import { expect, test } from '@jest/globals';
import { barChart } from './barChart.ts';

test('draws bars in proportion, with names and figures', () => {
  const bars = [
    { of: 'a', name: 'Server A', value: 4_860, figure: '4,860' },
    { of: 'b', name: 'Server B', value: 1_215, figure: '1,215' },
  ];
  const svg = barChart('New clients', bars, { a: '#009e73' });
  expect(
    [...svg.matchAll(/<rect x="160" y="(\d+)" width="(\d+)" height="20" fill="(.*)"/g)].map(([, ...at]) => at),
  ).toEqual([
    ['34', '260', '#009e73'],
    ['66', '65', '#888'],
  ]);
  const texts = [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);
  expect(texts).toEqual(['New clients', 'Server A', '4,860', 'Server B', '1,215']);
  expect(svg).toContain('width="480" height="98"');
});
