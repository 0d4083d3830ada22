import type { Campaign } from '../results/campaign.ts';
import type { ComparedFigure, Comparison } from '../results/comparedFigure.ts';
import { checkGates, formatGate } from '../results/gates.ts';
import type { RunResult } from '../results/runResult.ts';
import { describeChange } from './comparisonTable.ts';

/**
 * Campaigns as JUnit's XML, which CI services show: a suite a campaign, a case a threshold of a run. A discarded
 * run is one case with an error, and not a failure. A figure compared with a baseline's is a case, which fails where `--fail-on worse` was asked for,
 * and is skipped where the runs do not tell.
 */
export function renderJunit(campaigns: readonly Campaign[]): string {
  const suites = campaigns.map(({ facts, runs, comparison }) => {
    const compared = comparison?.figures.map((each) => comparedCase(facts.scenario, each, comparison)) ?? [];
    const cases = [...runs.flatMap((run) => listCases(run, facts.ensure)), ...compared];
    const name = escapeXml(`${facts.scenario} against ${facts.target}`);
    const count = (kind: string) => cases.filter((each) => each.includes(`<${kind} `)).length;
    const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
    return `<testsuite name="${name}" ${counts} timestamp="${facts.startedAt}">\n${cases.join('\n')}\n</testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
}

type Problem = readonly [kind: 'failure' | 'error' | 'skipped', message: string];

function listCases(result: RunResult, ensure: readonly Readonly<Record<string, number>>[]): string[] {
  const { facts, invalid, partial } = result;
  const { scenario, rate, number, startedAt, endedAt = startedAt } = facts;
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
  const testcase = (name: string, problem?: Problem) =>
    renderCase(scenario, `${rate}/s, run ${number}: ${name}`, seconds, problem);
  const unusable = [...invalid, ...(partial === undefined ? [] : [partial])];
  if (unusable.length > 0) return [testcase('discarded', ['error', unusable.join('; ')])];
  return checkGates(result, ensure).map((gate) =>
    testcase(`${gate.name} at most ${gate.atMost}`, gate.isKept ? undefined : ['failure', formatGate(gate)]),
  );
}

function comparedCase(scenario: string, compared: ComparedFigure, { isGate, leastRuns }: Comparison): string {
  const { rate, name, verdict, interval } = compared;
  const unclear = interval ? 'unclear' : `too few runs: it takes ${leastRuns} good ones of each`;
  const problems: Partial<Record<ComparedFigure['verdict'], Problem>> = {
    unclear: ['skipped', `${unclear}: ${describeChange(compared)}`],
    ...(isGate && { worse: ['failure', `WORSE: ${describeChange(compared)}`] }),
  };
  return renderCase(scenario, `${rate}/s: ${name} compared with the baseline`, 0, problems[verdict]);
}

function renderCase(scenario: string, name: string, seconds: number, problem?: Problem): string {
  const inner = problem ? `<${problem[0]} message="${escapeXml(problem[1])}"/>` : '';
  return `<testcase classname="${escapeXml(scenario)}" name="${escapeXml(name)}" time="${seconds}">${inner}</testcase>`;
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
