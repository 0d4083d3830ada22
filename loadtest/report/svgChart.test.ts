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

test('draws titles, ticks and labels', () => {
  const ticks = ['0', '10', '20', '30', '40', '50', '0', '2', '4', '6', '8', '10'];
  expect(texts(svgChart(chart({})))).toEqual(['Time', 'ms', ...ticks, 's', 'a']);
});

test('places values on linear axes', () => {
  expect(svgChart(chart({}))).toContain('<polyline points="62,318 589,60"');
});

test('labels an axis with one value once', () => {
  const points = [[200, 3]] as const;
  expect(texts(svgChart(chart({ series: [line('a', { points })] })))).toEqual([
    ...['Time', 'ms', '0', '1', '2', '3', '200', 's', 'a'],
  ]);
});

test('places powers of ten at equal distances on logarithmic axes', () => {
  const points = [
    [10, 1],
    [100, 10],
    [1_000, 100],
  ] as const;
  const svg = svgChart(chart({ isLogX: true, isLogY: true, series: [line('a', { points })] }));
  expect(svg).toContain('<polyline points="62,318 325.5,189 589,60"');
});

test('labels thousands of a logarithmic axis in one way', () => {
  const points = [
    [1_000, 1],
    [10_000, 2],
  ] as const;
  const labels = texts(svgChart(chart({ isLogX: true, series: [line('a', { points })] })));
  expect(labels).toEqual(expect.arrayContaining(['1,000', '10,000']));
});

test('draws ranges, levels and marks', () => {
  const series = [line('a', { ranges: [[10, 25, 50]] })];
  const svg = svgChart(chart({ series, levels: [{ name: 'limit', at: 25 }], marks: [{ name: 'here', at: [5, 25] }] }));
  expect(svg).toContain('<polyline points="589,189 589,60"');
  expect(svg).toContain('<path class="level" d="M62 189H589"');
  expect(texts(svg)).toEqual(expect.arrayContaining(['limit', 'here']));
});

test('draws ranges of several lines next to each other', () => {
  const ranges = [[10, 25, 50]] as const;
  const svg = svgChart(chart({ series: ['a', 'b'].map((name) => line(name, { ranges })) }));
  expect([...svg.matchAll(/<polyline points="(\S+) \S+" \S+ \S+ stroke-width="1.5"/g)].map(([, from]) => from)).toEqual(
    ['583,189', '589,189'],
  );
});

test('draws muted lines in gray, and other lines of a subject in the same color', () => {
  const svg = svgChart(chart({ series: [line('a'), line('b', { isMuted: true }), line('c', { of: 'a' })] }));
  const colours = [...svg.matchAll(/<polyline[^>]*stroke="([^"]*)"/g)].map(([, colour]) => colour);
  expect(colours).toEqual(['#0072b2', '#888', '#0072b2']);
});

test('escapes texts', () => {
  expect(svgChart(chart({ title: 'P99 < "5" & more' }))).toContain('>P99 &lt; &quot;5&quot; &amp; more</text>');
});

test('is 640 px wide with text of 15 px, and higher only for many labels', () => {
  expect(svgChart(chart({}))).toContain('width="640" height="372" viewBox="0 0 640 372"');
  expect(svgChart(chart({}))).toContain('font:15px');
  const series = Array.from({ length: 20 }, (_, n) => line(`line ${n}`));
  expect(svgChart(chart({ series }))).toContain('height="594"');
});

test('is 360 px wide for a phone, with the labels under it', () => {
  const series = [line('serverless, default quotas'), line('b')];
  const svg = svgChart(chart({ series }), { b: '#009e73' }, 'narrow');
  expect(svg).toContain('<path d="M0 408h18" fill="none" stroke="#009e73"');
  expect(svg).toContain('width="360" height="420" viewBox="0 0 360 420"');
  expect(svg).toContain('<polyline points="62,318 332,60"');
  expect(svg).toContain('<text x="24" y="389" >serverless, default quotas<');
  expect(svg).toContain('<text x="24" y="413" >b<');
});

test('puts labels at the ends of lines, without overlap', () => {
  const ends = [50, 49, 48, 10];
  const series = ends.map((end, n) =>
    line('abcd'.charAt(n), {
      points: [
        [0, 0],
        [10, end],
      ],
    }),
  );
  const tops = [...svgChart(chart({ series })).matchAll(/<text x="625" y="(\S+)" >[abcd]</g)].map(([, top]) =>
    Number(top),
  );
  expect(tops).toEqual([65, 89, 113, 271]);
});

test('breaks long labels, with their figures', () => {
  const svg = svgChart(chart({ series: [line('serverless, quotas × 10', { rest: 'P99 4 ms' })] }));
  expect(texts(svg).slice(-2)).toEqual(['serverless, quotas', '× 10: P99 4 ms']);
});

test('writes the name of a level above its beginning', () => {
  expect(svgChart(chart({ levels: [{ name: 'here', at: 25 }] }))).toContain('<text x="68" y="183" >here<');
});
