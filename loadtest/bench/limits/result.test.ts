import { expect, test } from '@jest/globals';
import { judgeNewAccount } from './newAccount.ts';
import { type LimitsResult, sectionsOf } from './result.ts';

const crowd = { clients: 200, refused: 8, lost: 17, ended: 0, served: { 10: 150, 130: 150 } };
const result: LimitsResult = {
  at: '2026-11-22T00:00:00.000Z',
  commit: 'abc',
  machine: { cpu: 'a processor', cores: 2, memoryBytes: 1, node: 'v24.0.0' },
  flags: 3_000,
  change: { 0: { calls: 1, requests: 24, readUnits: 8, writeUnits: 0 } },
  loop: { calls: 1_000, requests: 63, readUnits: 23, writeUnits: 42, answered: 20 },
  connections: 1_000,
  rate: 400,
  fairness: { before: { large: 2_500, small: 2_400 }, after: { large: 3_300, small: 160 } },
  crowd: { before: crowd, after: { ...crowd, ended: 7, served: { 10: 150, 130: 200 } } },
  newAccount: [judgeNewAccount({})],
};

test('each section has its figures before and after, and where they are from', () => {
  const sections = sectionsOf(result);
  for (const [heading, row] of [
    ['A crowd that comes to a new account', '| have their flags after 130 s | 150 | 200 |'],
    ['What a change takes of the tables', '| 0 | before | 3 | 52 | 3,852 | 16 |\n|  | **after** | 1 | 24 | 8 | 0 |'],
    ['One large or loud user, and the others', '| the change to one connection arrives after | 2.40 s | 0.16 s |'],
    ['A new account, before anything is created', '- takes flagwire:throttlingRate=2500\n'],
  ] as const) {
    expect(sections[heading]).toContain(row);
    expect(sections[heading]).toContain(
      '`npm run bench:limits` on 2026-11-22, Node 24.0.0, 2 × a processor, commit abc.',
    );
  }
});
