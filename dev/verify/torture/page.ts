import { markdownTable } from '../../../shared/command/markdownTable.ts';
import { DIFFERENCES } from './autobahn/cases.ts';
import type { Circumstances } from './machine.ts';
import type { PartResult } from './part.ts';

/** Everything that `npm run torture` came to. */
export interface Report extends Circumstances {
  /** The command line. */
  readonly command: string;
  readonly results: readonly PartResult[];
}

const ABOUT: Readonly<Record<PartResult['part'], string>> = {
  autobahn: `Autobahn’s test cases against the host’s transport, with an echo behind it in place of the protocol: it shows the framing, its limits
and its close codes. On AWS the framing is API Gateway’s. Cases that differ on purpose are held to how they must differ.`,
  fuzz: `Handshakes, frames, messages and HTTP requests made by a grammar and then mutated, answers that are not read, and uploads, while a probe
that does nothing wrong asks all the time; while an answer to it takes more than a second, nothing new is sent, so that the flood is as fast as the
machine takes it. A problem is: the process ends; the probe is unanswered for 5 s or loses its connection;
memory over the bound; an answer that is no JSON, an object without \`messageType\`, or a status of 500 and more; a close with 1000 that
nobody asked for; a connection that sent only whole messages and is silent; a connection that is left when all have gone.`,
  linearize: `Writers, and readers that keep their cursors over reconnects, some of which change their user on the same connection, while the
service is killed (\`SIGKILL\`) and started again at random moments; of three hosts behind HAProxy (\`balanced\`) one at a time, every other
one drained. A sync that starts after a write was acknowledged must contain it; a reader must be sent every change once, in order; and at
rest must hold exactly what the store holds, evaluated for its latest user.`,
};

/** The page of docs/results, in Markdown. */
export function renderPage(report: Report): string {
  const { results, versions } = report;
  const total = results.reduce((sum, { problems }) => sum + problems, 0);
  const parts = [...new Set(results.map(({ part }) => part))];
  const software = Object.entries(versions).map(([name, version]) => `${name} ${version.replace(/^v/, '')}`);
  return [
    '# Torture',
    '',
    `\`${report.command}\` on ${report.at.slice(0, 10)}, commit \`${report.commit}\`, ${software.join(', ')}, ${report.cores} cores of ${report.cpu},`,
    `${report.memoryGiB} GiB. It wrote this page, and all figures to [torture.json](torture.json).`,
    '',
    `**${total === 0 ? 'Nothing was found' : total === 1 ? 'One problem was found' : `${count(total)} problems were found`}.**`,
    ...parts.flatMap((part) =>
      renderPart(
        part,
        results.filter((result) => result.part === part),
      ),
    ),
    '',
  ].join('\n');
}

function renderPart(part: PartResult['part'], results: readonly PartResult[]): string[] {
  const names = [...new Set(results.flatMap(({ counts }) => Object.keys(counts)))];
  const row = (name: string, cellOf: (result: PartResult) => string) => [name, ...results.map(cellOf)];
  const examples = results.flatMap((result) => result.examples.slice(0, 10));
  return [
    '',
    `## ${part}`,
    '',
    ABOUT[part],
    '',
    markdownTable(
      row('', ({ target }) => target),
      [
        row('seconds', ({ seconds }) => count(Math.round(seconds))),
        ...(results.some(({ seed }) => seed !== undefined) ? [row('seed', ({ seed }) => String(seed ?? ''))] : []),
        ...names.map((name) => row(name, ({ counts }) => (name in counts ? count(counts[name] as number) : ''))),
        row('**problems**', ({ problems }) => `**${count(problems)}**`),
      ],
    ),
    ...(part === 'autobahn'
      ? ['', 'The cases that differ:', '', ...DIFFERENCES.map(({ cases, why }) => `- ${cases.join(', ')}: ${why}.`)]
      : []),
    ...(examples.length > 0
      ? ['', 'The first of the problems:', '', ...examples.map((text) => `- \`${oneLine(text)}\``)]
      : []),
  ];
}

/** A figure with commas between thousands, and what could not be measured as such. */
function count(value: number): string {
  return Number.isNaN(value) ? 'not measured' : value.toLocaleString('en-US');
}

function oneLine(text: string): string {
  return text.replaceAll(/[`\s]+/g, ' ').slice(0, 400);
}
