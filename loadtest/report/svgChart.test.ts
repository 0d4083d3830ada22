import { expect, test } from '@jest/globals';
import type { Chart, Series } from './document.ts';
import { svgChart } from './svgChart.ts';

const line = (name: string, more: Partial<Series> = {}): Series => {
  return {
    name,
    of: name,
    line: 0,
    rest: '',
    points: [
      [0, 0],
      [10, 50],
    ],
    ...more,
  } as Series;
};
const chart = (more: Partial<Chart>): Chart => ({ title: 'Time', x: 's', y: 'ms', series: [line('a')], ...more });
const texts = (svg: string) => [...svg.matchAll(/<text[^>]*>([^<]*)/g)].map(([, text]) => text);

test('draws titles, ticks and the legend', () => {
  const ticks = ['0', '10', '20', '30', '40', '50', '0', '2', '4', '6', '8', '10'];
  expect(texts(svgChart(chart({})))).toEqual(['Time', 'ms', ...ticks, 's', 'a']);
});

test('places values on linear axes', () => {
  expect(svgChart(chart({}))).toContain('<polyline points="84,330 600,76"');
});

test('places powers of ten at equal distances on logarithmic axes', () => {
  const points = [
    [10, 1],
    [100, 10],
    [1_000, 100],
  ] as const;
  const svg = svgChart(chart({ isLogX: true, isLogY: true, series: [line('a', { points })] }));
  expect(svg).toContain('<polyline points="84,330 342,203 600,76"');
});

test('draws ranges, levels and marks', () => {
  const series = [line('a', { ranges: [[10, 25, 50]] })];
  const svg = svgChart(chart({ series, levels: [{ name: 'limit', at: 25 }], marks: [{ name: 'here', at: [5, 25] }] }));
  expect(svg).toContain('<path d="M600 203V76"');
  expect(svg).toContain('<path class="level" d="M84 203H600"');
  expect(texts(svg)).toEqual(expect.arrayContaining(['limit', 'here']));
});

test('draws muted lines in gray, and other lines of a subject in the same color', () => {
  const svg = svgChart(chart({ series: [line('a'), line('b', { isMuted: true }), line('c', { of: 'a' })] }));
  const colours = [...svg.matchAll(/<polyline[^>]*stroke="([^"]*)"/g)].map(([, colour]) => colour);
  expect(colours).toEqual(['#0072b2', '#888', '#0072b2']);
});

test('escapes texts', () => {
  expect(svgChart(chart({ title: 'P99 < "5" & more' }))).toContain('>P99 &lt; &quot;5&quot; &amp; more</text>');
});

test('starts a legend row where the next name does not fit', () => {
  const svg = svgChart(chart({ series: ['a', 'b', 'c'].map((name) => line(name.repeat(25))) }));
  const rows = [...svg.matchAll(/<text x="\S+" y="(\S+)" >[abc]{25}/g)].map(([, top]) => top);
  expect(rows).toEqual(['412', '412', '440']);
});
