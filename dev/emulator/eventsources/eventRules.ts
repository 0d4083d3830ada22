import type { BusEvent } from '../eventbridge/service.ts';
import type { FunctionRegistry } from '../lambda/registry.ts';
import type { Model, Resource } from '../template/resolve.ts';
import { matchesPattern, type Pattern } from './pattern.ts';
import { callTargets, targetsOf } from './schedule.ts';

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
