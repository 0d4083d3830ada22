import type { Campaign } from '../results/campaign.ts';
import { formatGate, gatesOf } from '../results/gates.ts';
import type { RunResult } from '../results/runResult.ts';
import { escapeHtml } from './html.ts';

/**
 * Campaigns as JUnit's XML, which CI services show: a suite a campaign, a case a threshold of a run. A run that says nothing of the
 * server is one case with an error, and not a failure.
 */
export function renderJunit(campaigns: readonly Campaign[]): string {
  const suites = campaigns.map(({ facts, runs }) => {
    const cases = runs.flatMap((run) => casesOf(run, facts.ensure));
    const name = escapeHtml(`${facts.scenario} against ${facts.target}`);
    const count = (kind: string) => cases.filter((each) => each.includes(`<${kind} `)).length;
    const counts = `tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}"`;
    return `<testsuite name="${name}" ${counts} timestamp="${facts.startedAt}">\n${cases.join('\n')}\n</testsuite>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n${suites.join('\n')}\n</testsuites>\n`;
}

function casesOf(result: RunResult, ensure: readonly Readonly<Record<string, number>>[]): string[] {
  const { facts, invalid, partial } = result;
  const { scenario, rate, number, startedAt, endedAt = startedAt } = facts;
  const seconds = (Date.parse(endedAt) - Date.parse(startedAt)) / 1_000;
  const testcase = (name: string, problem?: readonly ['failure' | 'error', string]) => {
    const attributes = `classname="${escapeHtml(scenario)}" name="${escapeHtml(`${rate}/s, run ${number}: ${name}`)}"`;
    const inner = problem ? `<${problem[0]} message="${escapeHtml(problem[1])}"/>` : '';
    return `<testcase ${attributes} time="${seconds}">${inner}</testcase>`;
  };
  const unusable = [...invalid, ...(partial === undefined ? [] : [partial])];
  if (unusable.length > 0) return [testcase('says nothing of the server', ['error', unusable.join('; ')])];
  return gatesOf(result, ensure).map((gate) =>
    testcase(`${gate.name} at most ${gate.atMost}`, gate.isKept ? undefined : ['failure', formatGate(gate)]),
  );
}
