import { describe, expect, test } from '@jest/globals';
import { renderText } from '../../cli/text.ts';
import { assumed, ranges } from '../../testing/assumed.ts';
import { figuresIn } from '../workload/figures.ts';
import { PRESETS } from '../workload/presets.ts';
import { parseWorkload, type WorkloadInput } from '../workload/workload.ts';
import { compare } from './compare.ts';
import { ADVISED_PING_SECONDS, savingsOf } from './levers.ts';
import { reportOn } from './report.ts';
import { verdictOf } from './verdict.ts';

const verdict = (input: WorkloadInput) => {
  const workload = parseWorkload(input);
  const { answers, ...rest } = verdictOf(workload, compare(workload, ranges), assumed);
  return { ...rest, answers: answers.map(({ answer }) => answer) };
};

describe('the verdict', () => {
  test.each(Object.entries(PRESETS))('is above the table for %s: choice, cost, command, answers', (_, preset) => {
    const report = reportOn(parseWorkload(preset.workload), ranges);
    const { headline, range, command = 'no command', answers, architecture } = report.verdict;
    expect(answers.map(({ question }) => question)).toEqual([
      'Can I run it today?',
      'Why this one?',
      'What does it lack?',
      'What would make it cheaper?',
    ]);
    const [first = ''] = renderText(report, preset.title).split('a month, US dollars');
    expect(first.split('\n').slice(0, 2)).toEqual([`${preset.title}: ${headline} (${range})`, `  ${command}`]);
    for (const { question, answer } of answers) {
      expect(first).toContain(question);
      expect(first.replaceAll(/\s+/g, ' ')).toContain(answer);
    }
    const choice = report.architectures.find((each) => each.architecture === architecture);
    expect(headline).toMatch(new RegExp(`^${choice?.name} — \\$[\\d,]+/month(, for 1 hour of load a month)?$`));
    expect(command).toBe(choice?.command);
  });

  test('says what is ruled out, and what to do after the command', () => {
    const [today, why] = verdict(PRESETS.stormforge.workload).answers;
    expect(why).toMatch(
      / Ruled out: front door with a t4g.micro; one t2.micro[^.]*\. Needs a quota increase \(--any includes it\): API Gateway and Lambda\.$/,
    );
    expect(today).toMatch(
      /^After a quota increase .*: \d+ vCPUs of tasks exceed the Fargate quota of a new account, 6 \(L-3032A538\); .* --preflight .*Remove them afterwards: npx cdk destroy Flagwire-prod-Fargate --exclusively .* Replace YOUR_DOMAIN, YOUR_ACCOUNT, YOUR_CERTIFICATE\.$/,
    );
  });

  test('says for how many hours the cost of hosts is that do not run all month', () => {
    expect(verdict(PRESETS.stormforge.workload).headline).toMatch(/\/month, for 1 hour of load a month$/);
    expect(verdict(PRESETS.saas.workload).headline).toMatch(/\/month$/);
  });

  test('offers one t2.micro with unlimited credits where only its credits are in doubt', () => {
    const workload = parseWorkload(PRESETS['small-business'].workload);
    const slow = { ...ranges, high: { ...ranges.high, t2CoreFactor: 10 } };
    const others = compare(workload, slow).filter(({ architecture }) => architecture !== 'door');
    const { architecture, cheaper } = verdictOf(workload, others, assumed);
    expect(architecture).toBe('fargate');
    expect(cheaper?.about).toMatch(/^Cheaper: one t2\.micro with host\.credits=unlimited — \$\d+\/month\. /);
    expect(cheaper?.command).toMatch(/ --set host\.credits=unlimited$/);
    expect(verdict(PRESETS.saas.workload).cheaper).toBeUndefined();
  });

  test('names the quota of a new account that many tasks exceed', () => {
    const { headline, answers } = verdict({ connections: 5_000_000 });
    expect(headline).toMatch(/^Fargate/);
    expect(answers[0]).toMatch(/^After a quota increase .*: \d+ vCPUs of tasks exceed /);
  });

  test('says by how much another option costs more: in percent below twice as much', () => {
    expect(verdict({ connections: 70 }).answers[1]).toMatch(/ costs \$[\d,.]+, [\d.]+ % more[;.]/);
    expect(verdict({ connections: 3_000 }).answers[1]).toMatch(/ costs \$[\d,.]+, [\d.]+ times as much; /);
  });

  test('passes over what the worst assumptions rule out, and says what that would need', () => {
    // At the worst, connections take more memory than one machine has.
    const workload: WorkloadInput = {
      connections: 12_000,
      sdks: [{ share: 1, pingSeconds: 600, type: 'client' }],
      credits: 'unlimited',
      changesPerDay: 0,
    };
    const { architecture, answers } = verdict(workload);
    expect(architecture).not.toBe('t2');
    expect(answers[1]).toMatch(
      /One t2.micro would cost \$[\d.]+, but the worst assumptions rule it out: holds at most 8,9\d\d connections, and the busiest hour has 12,000\./,
    );
    const only = compare(parseWorkload(workload), ranges).filter((each) => each.architecture === 't2');
    const alone = verdictOf(parseWorkload(workload), only, assumed);
    expect(alone.headline).toMatch(/^one t2.micro — \$\d+\/month$/);
    expect(alone.range).toMatch(/, or ruled out$/);
    expect(alone.answers[1]?.answer).toContain('It is in doubt: holds at most');
  });

  test('names an option that needs a quota increase only if asked, with what it needs', () => {
    const load: WorkloadInput = { connections: 1, newPerHour: 0, requestQuota: 1, messagesPerHour: 5_400 };
    expect(verdict(load).architecture).not.toBe('serverless');
    const { architecture, answers } = verdict({ ...load, any: true });
    expect(architecture).toBe('serverless');
    expect(answers[0]).toMatch(
      /^After a quota increase \(docs\/scale.md#quotas-for-a-million-connections\): 2 requests a second in the busiest hour exceed the quota of 1/,
    );
  });

  test('says that one machine has no failover, and what costs more without that lack', () => {
    const workload = parseWorkload({ connections: 3_000, credits: 'unlimited' });
    const costs = compare(workload, ranges).filter(({ architecture }) => architecture !== 'door');
    const [, , lacking] = verdictOf(workload, costs, assumed).answers;
    expect(lacking?.answer).toMatch(
      /^Failover: while the machine is down.*The cheapest option that lacks nothing is .*: \$/,
    );
  });

  test('says why where nothing can serve the load', () => {
    const { headline, command, answers } = verdict({ connections: 1, flags: 10_000, flagBytes: 350_000 });
    expect([headline, command]).toEqual(['None of these options', undefined]);
    expect(answers).toEqual([
      expect.stringMatching(
        /^API Gateway and Lambda: the environments do not fit in the 0.5 GB of a function\. Front door/,
      ),
    ]);
  });

  test('rounds its figure, which is exact from the cent down to fractions of it', () => {
    const { rounded } = figuresIn('en', 'year');
    expect([rounded(2.56), rounded(0.06), rounded(1_234.4)]).toEqual(['$31/year', '$0.72/year', '$14,813/year']);
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

  test('is left out where it is set already, or saves nothing', () => {
    const sdks = [{ share: 1, pingSeconds: 300, type: 'client' as const }];
    const workload = parseWorkload({ connections: 100, sdks, accessLogs: false, lean: true, freeTier: 'always' });
    const names = savingsOf('serverless', workload, assumed);
    expect(names).toEqual([]);
  });
});
