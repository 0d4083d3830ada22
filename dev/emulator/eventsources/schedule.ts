import type { Clock } from '../clock.ts';
import { makeEvent } from '../eventbridge/service.ts';
import type { FunctionRegistry } from '../lambda/registry.ts';
import type { Model, Resource } from '../template/resolve.ts';
import type { Poller } from './streamPoller.ts';

/** An EventBridge rule, and the functions that it calls. */
interface RuleTargets {
  readonly arn: string;
  readonly functionArns: readonly string[];
}

const unitMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };

/** Reads every enabled rule without a pattern. @throws Error naming one that is not offered here */
export function readSchedules(model: Model) {
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

/** Calls the functions of a rule with an event. A call that fails or is throttled is not repeated. */
export function callTargets({ arn, functionArns }: RuleTargets, event: unknown, functions: FunctionRegistry): void {
  for (const functionArn of functionArns) {
    void functions.invoke(functionArn, event, { by: { service: 'events.amazonaws.com', sourceArn: arn } });
  }
}

/**
 * Starts calling a rule's functions, the first time after one period. Calls do not wait for earlier calls. Calls that were due
 * while the machine slept are left out.
 */
export function startSchedule(
  rule: RuleTargets & { readonly periodMs: number },
  { functions, clock }: { functions: FunctionRegistry; clock: Clock },
): Poller {
  let dueAt = clock.now();
  let cancel = () => {};

  function wait(): void {
    do dueAt += rule.periodMs;
    while (dueAt <= clock.now());
    cancel = clock.after(Math.max(0, dueAt - clock.now()), call);
  }

  function call(): void {
    const about = { 'detail-type': 'Scheduled Event', source: 'aws.events', resources: [rule.arn] };
    callTargets(rule, makeEvent(dueAt, { ...about, detail: {} }), functions);
    wait();
  }

  wait();
  return {
    async stop() {
      cancel();
      await functions.idle();
    },
  };
}
