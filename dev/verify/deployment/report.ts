import type { SuiteResult } from '../conformance/runSuite.ts';
import type { Workspace } from '../conformance/workspace.ts';
import type { Access } from './access.ts';

/** An observation of a deployment. */
export interface Observation {
  readonly question: string;
  /**
   * Looks, in the environment of the workspace.
   *
   * @throws when there is no answer; that is a finding too
   */
  look(access: Access, workspace: Workspace): Promise<Answer | undefined>;
}

/** The answer to an observation. */
export interface Answer {
  readonly answer: string;
  /** True if the answer is as promised. Absent without a promise. */
  readonly isPromised?: boolean;
}

/** A question with its answer. */
type Finding = Answer & Pick<Observation, 'question'>;

/** Looks at one thing after another. */
export async function observe(
  observations: readonly Observation[],
  access: Access,
  workspace: Workspace,
  progress: (question: string) => void,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { question, look } of observations) {
    progress(question);
    try {
      const seen = await look(access, workspace);
      if (seen) findings.push({ question, ...seen });
    } catch (error) {
      findings.push({ question, answer: `failed: ${(error as Error).message}`, isPromised: false });
    }
  }
  return findings;
}

/** The result of a verification. */
export interface Verification {
  readonly streamingUrl: string;
  readonly httpUrl: string;
  /** ISO 8601. */
  readonly at: string;
  readonly findings: readonly Finding[];
  readonly suite: SuiteResult;
}

/** Checks whether all findings are as promised, and the suite passed. */
export function isGood({ findings, suite }: Verification): boolean {
  return findings.every(({ isPromised }) => isPromised !== false) && suite.failed.length === 0;
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
    `Conformance suite: ${suite.passed} passed, ${suite.failed.length} failed.`,
    ...suite.failed.flatMap(({ name, reason }) => ['', `- **${name}**: ${reason}`]),
    '',
  ].join('\n');
}

/** Text within a table: on one line, and not too long. */
function cell(text: string): string {
  const oneLine = text.replace(/\s+/g, ' ').replaceAll('|', '\\|');
  return oneLine.length > 300 ? `${oneLine.slice(0, 300)}…` : oneLine;
}
