import type { Clock } from '../clock.ts';
import { type BusEvent, makeEvent } from '../eventbridge/service.ts';
import type { FunctionRegistry } from '../lambda/registry.ts';
import type { Model, Resource } from '../template/resolve.ts';
import { matchesPattern, type Pattern } from './pattern.ts';
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
function targetsOf(rule: Resource): string[] {
  const targets = (rule.property('Targets') ?? []) as { Arn: string; [setting: string]: unknown }[];
  return targets.map(({ Arn, Id, ...settings }) => {
    const [setting] = Object.keys(settings);
    if (!Arn.startsWith('arn:aws:lambda:')) throw new Error(`${rule.path}: the emulator has no target "${Arn}"`);
    if (setting) throw new Error(`${rule.path}: the emulator does not support a target's "${setting}"`);
    return Arn;
  });
}

/** Calls the functions of a rule with an event. A call that fails or is throttled is not repeated. */
function callTargets({ arn, functionArns }: RuleTargets, event: unknown, functions: FunctionRegistry): void {
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

/** An EventBridge rule that calls functions for events. */
type EventRule = ReturnType<typeof readEventRules>[number];

/** Reads every enabled rule with a pattern. The emulator has no topics, so rules to topics are left out. */
export function readEventRules(model: Model) {
  return model
    .resources('AWS::Events::Rule')
    .filter((rule) => rule.property('State') !== 'DISABLED' && rule.property('EventPattern') !== undefined)
    .filter((rule) => !hasTopic(rule))
    .map((rule) => ({
      arn: rule.value('Arn'),
      bus: String(rule.property('EventBusName') ?? 'default'),
      pattern: rule.property('EventPattern') as Pattern,
      functionArns: targetsOf(rule),
    }));
}

function hasTopic(rule: Resource): boolean {
  const targets = (rule.property('Targets') ?? []) as { Arn?: unknown }[];
  return targets.some(({ Arn }) => String(Arn).startsWith('arn:aws:sns:'));
}

/** Calls the functions of the rules that match an event. */
export function deliverEvent({ bus, event }: BusEvent, rules: readonly EventRule[], functions: FunctionRegistry): void {
  for (const rule of rules) {
    if (rule.bus === bus && matchesPattern(rule.pattern, event)) callTargets(rule, event, functions);
  }
}
