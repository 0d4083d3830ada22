import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSafePattern } from 'redos-detector';
import ts from 'typescript';

/** Sources of the public service. Expressions of operators in flags run in RE2, in linear time. */
const ROOMS = ['shared/**/*.ts', 'functions/**/*.ts'];

/**
 * Tests read their own text only. What reads an operator's expression checks its length first (`EXPRESSION_LIMIT`): twice
 * the length takes four times as long, and 5,000 characters some milliseconds.
 */
const LEFT_OUT = /\.test\.ts$|[\\/]testing[\\/]|^shared[\\/]evaluation[\\/]readExpression\.ts$/;

/**
 * Lists problems of the regular expressions of a source text, one line each: those that can take more than linear time
 * (by redos-detector), and those that are built at run time, which cannot be checked.
 */
export function findSlowExpressions(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const findings: string[] = [];
  const visit = (node: ts.Node) => {
    const problem = findProblem(node);
    const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
    if (problem) findings.push(`${file}:${line} ${node.getText(source)}: ${problem}`);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return findings;
}

function findProblem(node: ts.Node): string | undefined {
  if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText() === 'RegExp')
    return 'it is built at run time, so its running time cannot be checked';
  if (!ts.isRegularExpressionLiteral(node)) return undefined;
  const end = node.text.lastIndexOf('/');
  const flags = node.text.slice(end + 1);
  const { safe } = isSafePattern(node.text.slice(1, end), {
    caseInsensitive: flags.includes('i'),
    dotAll: flags.includes('s'),
    multiLine: flags.includes('m'),
    unicode: flags.includes('u'),
  });
  return safe
    ? undefined
    : 'it can take more than linear time; anchor it with ^, and let no two adjacent repeats match the same text';
}

function main(): void {
  const root = join(import.meta.dirname, '../../..');
  const files = globSync(ROOMS, { cwd: root }).filter((file) => !LEFT_OUT.test(file));
  const findings = files.flatMap((file) => findSlowExpressions(file, readFileSync(join(root, file), 'utf8')));
  for (const finding of findings) console.error(finding);
  console.log(`regular expressions: ${files.length} files, ${findings.length || 'no'} findings`);
  if (findings.length > 0) process.exitCode = 1;
}

if (import.meta.main) main();
