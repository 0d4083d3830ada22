import type { Machine } from '../../../dev/support/machine.ts';
import { markdownTable } from '../../../shared/command/markdownTable.ts';
import type { Fairness } from './fairness.ts';
import type { Crowd } from './healing.ts';
import type { Judged } from './newAccount.ts';
import type { TableUse } from './tableUse.ts';

/** What `npm run bench:limits` found. */
export interface LimitsResult {
  readonly at: string;
  readonly commit: string;
  readonly machine: Machine & { readonly node: string };
  readonly flags: number;
  /** What a change took, by the connections of its environment. */
  readonly change: Readonly<Record<number, TableUse>>;
  readonly loop: TableUse & { readonly answered: number };
  /** Connections of the large environment, and messages a second of all deliveries. */
  readonly connections: number;
  readonly rate: number;
  readonly fairness: { readonly before: Fairness; readonly after: Fairness };
  readonly crowd: { readonly before: Crowd; readonly after: Crowd };
  readonly newAccount: readonly Judged[];
}

/**
 * The same of commit 77481d1, from before these limits were kept: measured once, on 2026-11-22, by the same programs with
 * that commit's functions, which were handed ten messages at once.
 */
const BEFORE = {
  change: {
    0: { calls: 3, requests: 52, readUnits: 3_852, writeUnits: 16 },
    1: { calls: 3, requests: 61, readUnits: 5_778, writeUnits: 16 },
    16: { calls: 3, requests: 110, readUnits: 15_416, writeUnits: 16 },
    1000: { calls: 3, requests: 140, readUnits: 21_230, writeUnits: 16 },
  } as Readonly<Record<number, TableUse>>,
  loop: { calls: 1_000, requests: 3_002, readUnits: 1_006, writeUnits: 2_000, answered: 1_000 },
};

/** The sections of the page, by their headings. */
export function sectionsOf(result: LimitsResult): Record<string, string> {
  const { machine, commit, at } = result;
  const stamp = `\`npm run bench:limits\` on ${at.slice(0, 10)}, Node ${machine.node.slice(1)}, ${machine.cores} × ${machine.cpu}, commit ${commit}.`;
  return {
    'A crowd that comes to a new account': `${crowdSection(result)}\n${stamp}\n`,
    'What a change takes of the tables': `${changeSection(result)}\n${stamp}\n`,
    'One large or loud user, and the others': `${fairnessSection(result)}\n${stamp}\n`,
    'A new account, before anything is created': `${newAccountSection(result)}\n${stamp}\n`,
  };
}

function crowdSection({ crowd: { before, after } }: LimitsResult): string {
  const rows = Object.keys(after.served).map((seconds) => [
    `have their flags after ${seconds} s`,
    before.served[Number(seconds)] ?? 0,
    after.served[Number(seconds)] ?? 0,
  ]);
  return (
    `${after.clients} clients, half of them server-side, come at once to an account of ten concurrent executions, and come back after the pauses of FeatBit's\n` +
    'JavaScript SDKs. The same stacks without the function that heals are "before": who is missing there has no flags until API Gateway ends its connection after two hours.\n\n' +
    table(
      ['', 'before', 'after'],
      [
        ['handshakes refused', before.refused, after.refused],
        ['data-syncs lost: API Gateway sent an error in place of an answer', before.lost, after.lost],
        ['connections ended with 1000, so that their SDKs ask again', before.ended, after.ended],
        ...rows,
      ],
    )
  );
}

function changeSection({ flags, change }: LimitsResult): string {
  const rows = Object.entries(change).flatMap(([connections, use]) => {
    const before = BEFORE.change[Number(connections)];
    const figures = ({ calls, requests, readUnits, writeUnits }: TableUse) => [calls, requests, readUnits, writeUnits];
    return [
      [count(Number(connections)), 'before', ...(before ? figures(before) : ['', '', '', ''])],
      ['', '**after**', ...figures(use)],
    ];
  });
  return (
    `A flag is changed in an environment of ${count(flags)} flags that was quiet for hours, and four instances have it in memory. Counted until all connections have the change and\n` +
    'every instance has read it. "Before" is commit `77481d1`, whose calls were handed ten messages each. An empty read counts nothing here, and one unit on AWS.\n\n' +
    table(
      ['connections', '', 'calls of publish and deliver', 'requests to the tables', 'read units', 'write units'],
      rows,
    )
  );
}

function fairnessSection({ connections, rate, fairness: { before, after }, loop }: LimitsResult): string {
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(2)} s`;
  return (
    `A change to ${count(connections)} connections of one environment, and right after it one to the only connection of another, with four deliveries at once that send ${rate} messages a second\n` +
    'together. Before, an environment had a message group for each of its shards. Then: one connection asks for data in a loop, on one instance.\n\n' +
    table(
      ['', 'before', 'after'],
      [
        ['the change to one connection arrives after', seconds(before.small), seconds(after.small)],
        [`the change to ${count(connections)} is everywhere after`, seconds(before.large), seconds(after.large)],
        [
          `of ${count(loop.calls)} data-syncs in a loop are answered`,
          count(BEFORE.loop.answered),
          count(loop.answered),
        ],
        ['requests to the tables for them', count(BEFORE.loop.requests), count(loop.requests)],
      ],
    )
  );
}

function newAccountSection({ newAccount }: LimitsResult): string {
  const blocks = newAccount.map(({ context, settings, findings }) => {
    const given = Object.entries(context).map(([key, value]) => `-c ${key}=${value}`);
    const lines = [...settings.map((setting) => `takes ${setting}`), ...findings];
    return `With ${given.length > 0 ? `\`${given.join(' ')}\`` : 'no settings'}:\n\n${(lines.length > 0 ? lines : ['nothing']).map((line) => `- ${line}\n`).join('')}`;
  });
  return (
    'What `npm run deploy -- --preflight` says of an account of ten concurrent executions in a region of 2,500 requests a second, its limits as such accounts have them and not read from AWS. Before, nothing\n' +
    'was looked at: the stacks asked for a stage limit of 10,000 requests a second and sixteen deliveries at once, and what AWS refused showed in the middle of the deployment.\n\n' +
    blocks.join('\n')
  );
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const counted = rows.map((row) => row.map((cell) => (typeof cell === 'number' ? count(cell) : cell)));
  return `${markdownTable(head, counted)}\n`;
}

function count(n: number): string {
  return n.toLocaleString('en');
}
