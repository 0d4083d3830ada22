import { billOf } from '../result/bill.ts';
import type { Outcome } from '../result/outcome.ts';
import type { DeliverySettings } from '../scenarios/deliverySettings.ts';
import { push } from '../scenarios/push.ts';
import { storm, wave } from '../scenarios/storm.ts';
import type { Population } from '../scenarios/world.ts';
import type { Scenario } from './options.ts';

/** What is simulated, one scenario after another. */
export interface Plan {
  readonly scenarios: readonly Scenario[];
  readonly population: Population;
  readonly overSeconds: number;
  readonly settings: DeliverySettings;
  readonly changed: number;
}

/** A scenario's outcome, and its cost in US dollars. */
export interface Simulated {
  readonly scenario: Scenario;
  /** Name of the account whose quotas held. */
  readonly account: string;
  readonly outcome: Outcome;
  readonly usd: number;
}

/** Simulates a plan. A wave is made of the connections of a storm, so that is simulated with it. */
export function simulate(plan: Plan, onProgress: (scenario: Scenario, nowMs: number) => void = () => {}): Simulated[] {
  const { scenarios, population, overSeconds, settings, changed } = plan;
  const found: [Scenario, Outcome][] = [];
  if (scenarios.includes('storm') || scenarios.includes('wave')) {
    const { outcome, openedAt } = storm(population, overSeconds, (now) => onProgress('storm', now));
    if (scenarios.includes('storm')) found.push(['storm', outcome]);
    if (scenarios.includes('wave')) {
      found.push(['wave', wave(population, openedAt, (now) => onProgress('wave', now)).outcome]);
    }
  }
  if (scenarios.includes('push')) {
    found.push(['push', push(population, settings, changed, (now) => onProgress('push', now))]);
  }
  return found.map(([scenario, outcome]) => ({
    scenario,
    account: population.account.name,
    outcome,
    usd: billOf(outcome).total,
  }));
}
