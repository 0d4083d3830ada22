import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { readJson } from './jsonFile.ts';

const directory = mkdtempSync(join(tmpdir(), 'flagwire-json-'));
afterAll(() => rmSync(directory, { recursive: true }));

function yaml(text: string) {
  const path = join(directory, 'flags.yaml');
  writeFileSync(path, text);
  return readJson(path);
}

describe('a YAML file', () => {
  test.each<[string, string, unknown]>([
    [
      'values',
      'a: 1\nb: 1.5\nc: "1"\nd: true\ne: yes\nf: null\n',
      { a: 1, b: 1.5, c: '1', d: true, e: 'yes', f: null },
    ],
    [
      'dates as text',
      'a: 2026-11-20\nb: 2026-11-20 10:20:30\n',
      { a: '2026-11-20T00:00:00Z', b: '2026-11-20T10:20:30Z' },
    ],
    ['numbers of YAML 1.1', 'a: 014\nb: 0x10\nc: 1_000\nd: 1e3\n', { a: 12, b: 16, c: 1_000, d: 1_000 }],
    [
      'only true and false as booleans',
      'a: [yes, on, n, Off, True, FALSE, tRUE]\nb: 1:30\n',
      { a: ['yes', 'on', 'n', 'Off', true, false, 'tRUE'], b: '1:30' },
    ],
    [
      'keys as written',
      '1.0: a\ntrue: b\n0x10: c\n2026-11-20: d\n',
      { '1.0': 'a', true: 'b', '0x10': 'c', '2026-11-20': 'd' },
    ],
    ['the character 0', 'a: "\\0007"\n', { a: '\u0000007' }],
    [
      'an anchor of many flags',
      `a: &a 1\nb: [${Array(2_000).fill('*a').join(', ')}]\n`,
      { a: 1, b: Array(2_000).fill(1) },
    ],
    [
      'aliases and merged objects',
      'a: &a { x: 1 }\nb: *a\nc:\n  <<: *a\n  y: 2\n',
      { a: { x: 1 }, b: { x: 1 }, c: { x: 1, y: 2 } },
    ],
    ['JSON', '{"a": [1, {"b": "c"}]}', { a: [1, { b: 'c' }] }],
    ['several documents', 'a: 1\n---\nb: 2\n---\n', { documents: [{ a: 1 }, { b: 2 }] }],
    ['nothing', '# only a comment\n', null],
  ])('is read with %s', (_, text, content) => {
    expect(JSON.parse(JSON.stringify(yaml(text).content))).toEqual(content);
  });

  test('keeps all digits of a whole number', () => {
    expect(JSON.stringify(yaml('a: 9007199254740993\n').content)).toContain('9007199254740993');
  });

  test('names keys that occur more than once', () => {
    expect(() => yaml('a: 1\na: 2\n')).toThrow('flags.yaml cannot be read as YAML: Map keys must be unique');
  });

  test.each([
    ['a syntax error', 'a: [1,\n', /cannot be read as YAML/],
    ['an unknown tag', 'a: !Ref b\n', /cannot be read as YAML: Unresolved tag: !Ref/],
    ['a value that JSON does not have', 'a: .inf\n', /cannot be read as YAML: Infinity is not a value of JSON/],
    ['a set', 'a: !!set {b, c}\n', /is not a value of JSON/],
    ['an unknown alias', 'a: *b\n', /cannot be read as YAML: Unresolved alias/],
    [
      'lists that expand',
      `l: &l [${Array(9_000).fill('x')}]\nm:\n${'- *l\n'.repeat(9_000)}`,
      /cannot be read as YAML: it is larger than 10,000,000 characters with its aliases and merge keys; write fewer/,
    ],
    [
      'merged maps that expand',
      `b: &b {${Array.from({ length: 4_000 }, (_, n) => `k${n}: 1`)}}\nm:\n${'- {<<: *b}\n'.repeat(4_000)}`,
      /cannot be read as YAML: it is larger than 10,000,000 characters/,
    ],
    [
      'texts that expand',
      `t: &t ${'x'.repeat(50_000)}\nm:\n${'- *t\n'.repeat(1_000)}`,
      /cannot be read as YAML: it is larger than 10,000,000 characters/,
    ],
    [
      'aliases of aliases',
      `a0: &a0 x\n${Array.from({ length: 40 }, (_, n) => `a${n + 1}: &a${n + 1} [*a${n}, *a${n}]\n`).join('')}`,
      /cannot be read as YAML: it is larger than 10,000,000 characters/,
    ],
    [
      'many anchors',
      Array.from({ length: 5_001 }, (_, n) => `- &a${n} x\n- *a${n}\n`).join(''),
      /cannot be read as YAML: it has more than 10,000 anchors and aliases; write fewer/,
    ],
    // Each line has ten times as many values as the one before.
    [
      'too many aliases',
      `a0: &a0 [x,x,x,x,x,x,x,x,x,x]\n${[1, 2, 3, 4, 5, 6, 7].map((n) => `a${n}: &a${n} [${Array(10).fill(`*a${n - 1}`)}]\n`).join('')}`,
      /cannot be read as YAML: (Excessive alias count|it is larger than)/,
    ],
    [
      'too many levels',
      `a: ${'['.repeat(1_100)}${']'.repeat(1_100)}\n`,
      /nests arrays and objects (too deep|deeper than 1,000 levels)/,
    ],
  ])('is refused for %s', (_, text, says) => {
    expect(() => yaml(text)).toThrow(says);
  });
});
