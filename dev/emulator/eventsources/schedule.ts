import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.ts';
import type { FunctionRegistry } from '../lambda/registry.ts';
import { localAccount, localRegion } from '../template/account.ts';
import type { Model, Resource } from '../template/resolve.ts';
import type { Poller } from './streamPoller.ts';

/** An EventBridge rule that calls functions by a rate. */
interface ScheduleRule {
  readonly arn: string;
  readonly periodMs: number;
  readonly functionArns: readonly string[];
}

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Reads every enabled rule without a pattern. @throws Error naming one that is not offered here */
export function readSchedules(model: Model): ScheduleRule[] {
  return model
    .resources('AWS::Events::Rule')
    .filter((rule) => rule.property('State') !== 'DISABLED' && rule.property('EventPattern') === undefined)
    .map((rule) => ({
      arn: rule.value('Arn'),
      periodMs: periodOf(rule),
      functionArns: targetsOf(rule),
    }));
}

function periodOf(rule: Resource): number {
  const expression = String(rule.property('ScheduleExpression') ?? '');
  const [, count = '', unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (!unit) throw new Error(`${rule.path}: the emulator has no rule but one by a rate, and not "${expression}"`);
  return Number(count) * unitMs[unit as keyof typeof unitMs];
}

/** The functions that a rule calls. @throws Error naming a target that is not offered here */
export function targetsOf(rule: Resource): string[] {
  const targets = (rule.property('Targets') ?? []) as { Arn: string; [setting: string]: unknown }[];
  return targets.map(({ Arn, Id, ...settings }) => {
    const [setting] = Object.keys(settings);
    if (!Arn.startsWith('arn:aws:lambda:')) throw new Error(`${rule.path}: the emulator has no target "${Arn}"`);
    if (setting) throw new Error(`${rule.path}: the emulator does not support a target's "${setting}"`);
    return Arn;
  });
}

/**
 * Starts calling a rule's functions, the first time after one period. A call does not wait for the one before. One that fails
 * or is turned away is not tried again. Calls that it missed while
 * the machine slept are left out.
 */
export function startSchedule(
  { arn, periodMs, functionArns }: ScheduleRule,
  { functions, clock }: { functions: FunctionRegistry; clock: Clock },
): Poller {
  const running = new Set<Promise<unknown>>();
  let dueAt = clock.now();
  let cancel = () => {};

  function wait(): void {
    do dueAt += periodMs;
    while (dueAt <= clock.now());
    cancel = clock.after(Math.max(0, dueAt - clock.now()), call);
  }

  function call(): void {
    for (const functionArn of functionArns) {
      const work = functions.invoke(functionArn, scheduledEvent(arn, dueAt), {
        by: { service: 'events.amazonaws.com', sourceArn: arn },
      });
      running.add(work);
      void work.then(() => running.delete(work));
    }
    wait();
  }

  wait();
  return {
    async stop() {
      cancel();
      await Promise.all(running);
    },
  };
}

/** What EventBridge hands on. Source: AWS's guide to Lambda, "Invoke a Lambda function on a schedule". */
function scheduledEvent(ruleArn: string, at: number): unknown {
  return {
    version: '0',
    id: randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: localAccount,
    time: `${new Date(at).toISOString().slice(0, 19)}Z`,
    region: localRegion,
    resources: [ruleArn],
    detail: {},
  };
}
