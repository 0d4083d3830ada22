import type { BusEvent } from '../eventbridge/service.ts';
import type { FunctionRegistry } from '../lambda/registry.ts';
import type { Model, Resource } from '../template/resolve.ts';
import { matchesPattern, type Pattern } from './pattern.ts';
import { targetsOf } from './schedule.ts';

/** An EventBridge rule that calls functions for events. */
export interface EventRule {
  readonly arn: string;
  readonly bus: string;
  readonly pattern: Pattern;
  readonly functionArns: readonly string[];
}

/** Reads every enabled rule with a pattern. The emulator has no topics, so rules to topics are left out. */
export function readEventRules(model: Model): EventRule[] {
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

/** Calls the functions of the rules that match an event. A failed call is not repeated. */
export class EventRules {
  readonly #rules: readonly EventRule[];
  readonly #functions: FunctionRegistry;
  readonly #running = new Set<Promise<unknown>>();

  constructor(rules: readonly EventRule[], functions: FunctionRegistry) {
    this.#rules = rules;
    this.#functions = functions;
  }

  deliver({ bus, event }: BusEvent): void {
    for (const { arn, functionArns } of this.#rules.filter(
      (rule) => rule.bus === bus && matchesPattern(rule.pattern, event),
    )) {
      for (const functionArn of functionArns) {
        const work = this.#functions.invoke(functionArn, event, {
          by: { service: 'events.amazonaws.com', sourceArn: arn },
        });
        this.#running.add(work);
        void work.then(() => this.#running.delete(work));
      }
    }
  }

  /** Resolves when no call is running. */
  async idle(): Promise<void> {
    await Promise.all(this.#running);
  }
}
