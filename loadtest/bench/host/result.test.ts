import { describe, expect, test } from '@jest/globals';
import { renderPage } from './page.ts';
import { type Bound, formatBound, isKept, type Result } from './result.ts';

const bound = (fields: Partial<Bound>): Bound => ({ name: 'P99', measured: 10, unit: 'ms', ...fields });

describe('a bound', () => {
  test('is kept when it is reached exactly, and never by what could not be measured', () => {
    expect(isKept(bound({ atMost: 10 }))).toBe(true);
    expect(isKept(bound({ atMost: 9.99 }))).toBe(false);
    expect(isKept(bound({ atLeast: 10 }))).toBe(true);
    expect(isKept(bound({ atLeast: 10.01 }))).toBe(false);
    expect(isKept(bound({ measured: Number.NaN, atMost: 10 }))).toBe(false);
  });

  test('says what it is, and whether it is kept', () => {
    expect(formatBound(bound({ measured: 12.345, atMost: 10 }))).toBe('BROKEN: P99: 12.3 ms (at most 10)');
    expect(formatBound(bound({ atLeast: 6 }))).toBe('kept: P99: 10 ms (at least 6)');
  });
});

describe('the page', () => {
  const result: Result = {
    title: 'A <b>title</b>',
    head: ['server'],
    rows: [['"><script>alert(1)</script>']],
    bounds: [bound({ atMost: 1 })],
    invalid: ['the generator was late'],
    notes: [],
    charts: [{ title: 'times', x: 'n', y: 'ms', series: [{ name: '</script><script>', points: [[1, 2]] }] }],
  };
  const page = renderPage({
    machine: { cpu: 'a cpu', cores: 2, memoryBytes: 1024 ** 3, node: 'v24' },
    at: '2026-01-01',
    parameters: {},
    results: [result, { ...result, title: 'another' }],
  });

  test('shows whatever it is given as text', () => {
    expect(page).not.toContain('<b>title');
    expect(page).not.toContain('<script>alert');
    expect(page.match(/<script>/g)).toHaveLength(2);
  });

  test('names broken bounds and invalid runs, and has a place for each chart', () => {
    expect(page.match(/class="bad"/g)).toHaveLength(4);
    expect(page).toContain('INVALID: the generator was late');
    expect(page.match(/id="chart-\d"/g)).toEqual(['id="chart-0"', 'id="chart-1"']);
  });

  test('needs no network', () => {
    expect(page).not.toMatch(/(src|href)=(?!"#)/);
  });
});
