import { markdownTable } from '../../shared/command/markdownTable.ts';
import type { Report } from '../bench/host/page.ts';
import { isKept } from '../bench/host/result.ts';
import { formatStamp } from '../measure/stamp.ts';
import { figure } from '../report/document.ts';
import { type Merged, mergeRuns } from './mergeRuns.ts';

/**
 * `docs/results/host.md`: what `npm run bench:host` found, and its soak.
 *
 * @param before what it found while the host had a transport of its own, on Node
 */
export function hostPage(report: Report, soak: Report, before: Report): string {
  return `<!-- Written by \`npm run results\`. -->

# The host, measured

${stampOf(report)}

The server was held to one core, generator and table to the other. Figures of several runs stand side by side. All of them, with charts, are in
[host/bench-host.html](host/bench-host.html) (save it and open it) and [host/bench-host.json](host/bench-host.json), what the host does with its time on Node in
[host/host.cpuprofile](host/host.cpuprofile), for Chrome's developer tools.

**It is no t2.micro.** What transfers are ratios to the bare servers measured beside it, bytes a connection, and completeness. Times and
rates of a t2.micro are for \`npm run loadtest\` to tell, from the load generator of the comparison stack.

${sectionsOf(report)}

${sectionsOf(soak)}

${stampOf(soak)} Its charts are in [host/soak.html](host/soak.html).

## Before: the host on Node, with a transport of its own

${stampOf(before)} Another machine than above, so what compares is ratios, and bytes a connection. This transport was given up for Bun's and \`ws\`
([record 14](../decisions/0014-transport.md)).

${mergeRuns(before.results).map(tableOf).join('\n\n')}
`;
}

function tableOf({ title, head, rows }: Merged): string {
  return `### ${title}\n\n${markdownTable(head, rows)}`;
}

/** `docs/results/balanced.md`: hosts behind a balancer. */
export function balancedPage(report: Report): string {
  return `<!-- Written by \`npm run results\`. -->

# Hosts behind a balancer, measured

${stampOf(report)}

Three hosts on one table shared one core; balancers (HAProxy), generators and the table the other. All figures are in [host/balanced.json](host/balanced.json).

What transfers is what was counted: a balancer of TCP holds two sockets for each connection, deals them out evenly, and a change reaches every
connection of every host once and in order. **The times do not**: six and more processes shared two cores.

That nothing is lost, doubled, stale or out of order while hosts are killed, drained and added is for \`npm test -- faults balanced\` and
\`npm run torture -- linearize --target balanced\` to tell.

${sectionsOf(report)}
`;
}

/** Whatever is known of where a report's figures come from. */
function stampOf({ stamp, machine, at }: Report): string {
  if (stamp) return formatStamp(stamp);
  return `\`npm run bench:host\` on ${at.slice(0, 10)}, Node ${machine.node.replace(/^v/, '')}, ${machine.cores} cores of ${machine.cpu}; its commit was not noted.`;
}

function sectionsOf({ results }: Report): string {
  return mergeRuns(results).map(sectionOf).join('\n\n');
}

function sectionOf({ title, head, rows, bounds, notes, invalid, charts }: Merged): string {
  const levels = charts.flatMap(({ levels: all = [] }) => all.map(({ name, at }) => `${name}: ${figure(at)}.`));
  const lines = [...invalid.map((why) => `**Not to be used**: ${why}.`), ...boundsOf(bounds), ...notes, ...levels];
  return [`## ${title}`, markdownTable(head, rows), lines.map((line) => `- ${line}`).join('\n')].join('\n\n').trim();
}

/** Each bound with what every run measured, and whether all of them kept it. */
function boundsOf(runs: Merged['bounds']): string[] {
  return (runs.at(-1) ?? []).map(({ name, unit, atLeast, atMost }) => {
    const measured = runs.flatMap((bounds) => bounds.filter((bound) => bound.name === name));
    const limits = [
      atLeast === undefined ? [] : `at least ${atLeast}`,
      atMost === undefined ? [] : `at most ${atMost}`,
    ];
    const figures = [...new Set(measured.map((bound) => figure(bound.measured)))].join(' · ');
    const verdict = measured.every(isKept) ? 'kept' : '**not kept**';
    return `${name}: ${`${figures} ${unit}`.trim()}; the bound, ${limits.flat().join(' and ')}, is ${verdict}.`;
  });
}
