import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { parseCondition } from '../shared/describe/conditionText.ts';
import type { SdkName } from '../shared/describe/sdks/sdkConditions.ts';
import { OPERATOR_NAMES } from '../shared/evaluation/compileOperator.ts';
import { aFlag, aRule, aUser } from '../shared/testing/builders.ts';
import { evaluateFlag } from '../shared/testing/evaluate.ts';
import { sdkConditions } from '../shared/testing/fixtures.ts';
import { TestCli } from './testing/cli.ts';

const page = readFileSync(join(import.meta.dirname, '..', 'docs', 'flags.md'), 'utf8');

/** The words of a command line, as a shell reads single quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
}

describe('docs/flags.md', () => {
  const examples = [...page.matchAll(/```console\n([\s\S]*?)```/g)].flatMap(([, block = '']) =>
    block.split(/^\$ flags /m).slice(1),
  );

  test('shows what its commands print', async () => {
    const cli = await TestCli.start();
    const { isTTY, columns } = process.stdout;
    // As in a terminal. Jest asks for colors.
    Object.assign(process.stdout, { isTTY: true, columns: 120 });
    try {
      await cli.run('env', 'create', 'examples');
      for (const example of examples) {
        const [line = '', ...expected] = example.trimEnd().split('\n');
        const { code, out, err } = await cli.run(...wordsOf(line));
        const problems = err.replaceAll(/^note: .*\n?/gm, '');
        if (expected.length === 0) expect([line, code, problems]).toEqual([line, 0, '']);
        else expect([line, stripVTControlCharacters(out || err)]).toEqual([line, expected.join('\n')]);
      }
    } finally {
      Object.assign(process.stdout, { isTTY, columns });
      await cli.close();
    }
  });

  const rows = [...page.matchAll(/^\| `(.+?)` \| `(\w+)` \| `(.+?)` \| `(.+?)` \|$/gm)];

  test('has every operator', () => {
    expect(rows.map(([, , operator]) => operator).toSorted()).toEqual(OPERATOR_NAMES.toSorted());
  });

  test.each(rows.map(([, ...cells]) => cells))('%s is %s, holds for %s and not for %s', (...cells) => {
    const [text = '', operator, matching = '', other = ''] = cells;
    const condition = parseCondition(text);
    expect(condition.op).toBe(operator);
    const reasonFor = (value: string) =>
      evaluateFlag(aFlag({ rules: [aRule([condition])] }), aUser('u', { [condition.property]: value })).reason;
    expect([reasonFor(matching), reasonFor(other)]).toEqual(['Rule 1', 'default']);
  });

  test('has the SDKs in which conditions have other results', () => {
    const { sdks, texts, conditions } = sdkConditions();
    expect(page).toContain(`with ${conditions.length} conditions and ${texts.length} values`);
    const [, head = '', body = ''] = /^\| operators \| browsers, OFREP \| (.*) \|\n.*\n((?:\|.*\n)+)/m.exec(page) ?? [];
    const names = head.split(' | ') as SdkName[];
    expect(names.toSorted()).toEqual(Object.keys(sdks).toSorted());
    const operators = body
      .trim()
      .split('\n')
      .map((row) => {
        const [labels = '', , ...cells] = row.slice(2, -2).split(' | ');
        const ops = [...labels.matchAll(/`(.+?)`/g)].map(
          ([, label]) => parseCondition(`v ${label} 1`.replace(/(true|false) 1/, '$1')).op,
        );
        const differing = names.map((name) => conditions.some(({ op, [name]: theirs }) => ops.includes(op) && theirs));
        expect([labels, cells.map((cell) => cell !== 'same')]).toEqual([labels, differing]);
        return ops;
      });
    expect(operators.flat().toSorted()).toEqual(OPERATOR_NAMES.toSorted());
  });
});
