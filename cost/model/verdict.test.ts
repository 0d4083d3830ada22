import { describe, expect, test } from '@jest/globals';
import { renderText } from '../cli/text.ts';
import { assumed, ranges } from '../testing/assumed.ts';
import { compare } from './compare.ts';
import { ADVISED_PING_SECONDS, savingsOf } from './levers.ts';
import { PRESETS } from './presets.ts';
import { reportOn } from './report.ts';
import { verdictOf } from './verdict.ts';
import { parseWorkload, type WorkloadInput } from './workload.ts';

const answersTo = (input: WorkloadInput) => {
  const workload = parseWorkload(input);
  return verdictOf(workload, compare(workload, ranges), assumed).map(({ answer }) => answer);
};

describe('the four questions', () => {
  test.each(Object.entries(PRESETS))('are answered for %s, above the table', (_, { title, workload }) => {
    const report = reportOn(parseWorkload(workload), ranges);
    expect(report.answers.map(({ question }) => question)).toEqual([
      'Which is cheapest?',
      'How do I deploy it?',
      'What does it lack?',
      'What would make it cheaper?',
    ]);
    const [first] = renderText(report, title).split('┌');
    for (const { question, answer, command = '' } of report.answers) {
      expect(first).toContain(question);
      expect(first?.replaceAll(/\s+/g, ' ')).toContain(answer);
      expect(first).toContain(command);
    }
    const cheapest = report.architectures.find(({ command }) => command === report.answers[1]?.command);
    expect(report.answers[0]?.answer).toContain(`${cheapest?.name}, about `);
  });

  test('name the cheapest of what is possible, and what is ruled out', () => {
    const [cheapest, deployed] = answersTo(PRESETS.stormforge.workload);
    expect(cheapest).toMatch(/busiest: (Fargate|two).* Ruled out: API Gateway and Lambda; one t2.micro[^.]*\.$/);
    expect(deployed).toMatch(/Remove it afterwards: .* Replace what is in angle brackets\.$/);
  });

  test('say in the first line where the price is a guess, and what is cheapest without', () => {
    const workload = parseWorkload(PRESETS.saas.workload);
    const fargates = compare(workload, ranges).filter(({ architecture }) => ['fargate', 'spot'].includes(architecture));
    const [first] = verdictOf(workload, fargates, assumed);
    expect(first?.answer).toMatch(
      /^80,000 connections at the busiest: Fargate Spot, .* a month, and that is partly a guess: Spot has no list price, 40 % of that of other tasks is assumed\. At list prices the cheapest is Fargate, two tasks or more, \$/,
    );
  });

  test('say in the first line what of it is at prices that were seen once', () => {
    expect(answersTo({ connections: 10, region: 'eu-west-1' })[0]).toMatch(
      /partly a guess: \$[\d.]+ of it is at prices that no second source confirmed, most of that for WebSocket messages/,
    );
    expect(answersTo({ connections: 10 })[0]).not.toContain('guess');
  });

  test('say first what holds only if the assumptions do', () => {
    // With everything against it, connections take more memory than one has.
    const [cheapest] = answersTo({
      connections: 12_000,
      sdks: [{ share: 1, pingSeconds: 600, type: 'client' }],
      credits: 'unlimited',
      changesPerDay: 0,
    });
    expect(cheapest).toMatch(
      /^12,000 connections at the busiest: one t2.micro, about \$[\d.]+ a month.* With all assumptions against it, it is ruled out\. The cheapest is then/,
    );
  });

  test('say that one machine is no failover, and what costs more without that lack', () => {
    const [, , lacking] = answersTo({ connections: 3_000, credits: 'unlimited' });
    expect(lacking).toMatch(/^Failover: while the one machine is down.*The cheapest that lacks nothing is .*: \$/);
  });

  test('say so where nothing can do it', () => {
    expect(answersTo({ connections: 1, flags: 10_000, flagBytes: 350_000 })).toEqual([
      expect.stringMatching(
        /^None of these ways can do it\. API Gateway and Lambda is ruled out: the environments do not fit/,
      ),
    ]);
  });
});

describe('a lever', () => {
  test('saves what the bill with it is less, the most first', () => {
    const workload = parseWorkload({ connections: 100 });
    const savings = savingsOf('serverless', workload, assumed);
    const total = (load: typeof workload) => compare(load, ranges)[0]?.bill.total ?? Number.NaN;
    const sdks = [{ share: 1, pingSeconds: ADVISED_PING_SECONDS, type: 'client' as const }];
    expect(savings[0]?.usd).toBeCloseTo(total(workload) - total({ ...workload, sdks }), 9);
    expect(savings.map(({ usd }) => usd)).toEqual(savings.map(({ usd }) => usd).toSorted((a, b) => b - a));
  });

  test('is not told of where it is set already, or saves nothing', () => {
    const sdks = [{ share: 1, pingSeconds: 300, type: 'client' as const }];
    const workload = parseWorkload({ connections: 100, sdks, accessLogs: false, lean: true, freeTier: 'always' });
    const names = savingsOf('serverless', workload, assumed);
    expect(names).toEqual([]);
  });
});
