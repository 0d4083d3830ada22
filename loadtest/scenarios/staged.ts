import type { Load, Plan } from './plan.ts';
import { reference } from './plans.ts';

/** The part of the goal that each stage comes to, as in StormForge's test of a million clients, and for how many seconds it is held. */
export const STAGES = [
  { part: 0.1, seconds: 300 },
  { part: 0.5, seconds: 600 },
  { part: 1, seconds: 600 },
] as const;

/** Seconds of a run without a goal, at which stages towards one are held as long as {@link STAGES} says; shorter runs shorten them. */
export const RUN_S = 60;

/** New connections a second of each stage towards a goal. */
export function stageRates(goal: number, rampS: number): number[] {
  return STAGES.map(({ part }) => (goal * part) / rampS);
}

/**
 * One stage: connections are opened over a ramp, and all send heartbeats until its end. Each rate is a stage; one towards a goal is held
 * as long as its part of the goal says.
 */
export function staged(load: Load): Plan {
  const { rate, rampS, durationS, goal } = load;
  const held = goal === undefined ? undefined : STAGES.find(({ part }) => rate * rampS <= goal * part)?.seconds;
  const ensure = [{ 'sync.p99': 200 }, { 'intended to reply.p99': 200 }, { 'errors.percent': 1 }];
  return {
    ...reference({ ...load, durationS: held === undefined ? durationS : rampS + held * (durationS / RUN_S) }),
    ensure,
  };
}
