import type { SuiteResult } from '../conformance/runSuite.ts';
import type { Finding } from './observation.ts';

/** The result of a verification. */
export interface Verification {
  readonly streamingUrl: string;
  readonly httpUrl: string;
  /** ISO 8601. */
  readonly at: string;
  readonly findings: readonly Finding[];
  /** Absent where it was left out. */
  readonly suite?: SuiteResult;
}

/** Checks whether all findings are as promised, and the suite passed. */
export function isGood({ findings, suite }: Verification): boolean {
  return findings.every(({ isPromised }) => isPromised !== false) && (suite?.failed.length ?? 0) === 0;
}

/** The report, as Markdown; no secret is in it. */
export function formatReport(verification: Verification): string {
  const { streamingUrl, httpUrl, at, findings, suite } = verification;
  const rows = findings.map(
    ({ question, answer, isPromised }) =>
      `| ${question} | ${cell(answer)} | ${isPromised === undefined ? '' : isPromised ? 'yes' : '**no**'} |`,
  );
  return [
    `# Verification of ${streamingUrl} and ${httpUrl}`,
    '',
    at,
    '',
    '| question | seen | as promised |',
    '|---|---|---|',
    ...rows,
    '',
    ...(suite
      ? suiteLines(suite)
      : ['The conformance suite was skipped: it needs the flags table (--table, or FLAGS_TABLE).']),
    '',
  ].join('\n');
}

function suiteLines({ passed, failed }: SuiteResult): string[] {
  const summary = `Conformance suite: ${passed} passed, ${failed.length} failed.`;
  return [summary, ...failed.flatMap(({ name, reason }) => ['', `- **${name}**: ${reason}`])];
}

/** Text within a table: on one line, and not too long. */
function cell(text: string): string {
  const oneLine = text.replace(/\s+/g, ' ').replaceAll('|', '\\|');
  return oneLine.length > 300 ? `${oneLine.slice(0, 300)}…` : oneLine;
}
