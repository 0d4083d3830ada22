import type { Load, LoadProfile } from './loadProfile.ts';
import { reference } from './profiles.ts';

/** The part of the goal in each stage, and its hold time in seconds, as in StormForge's test of a million clients. */
export const STAGES = [
  { part: 0.1, seconds: 300 },
  { part: 0.5, seconds: 600 },
  { part: 1, seconds: 600 },
] as const;

/** Duration of a run without a goal in seconds. With this duration, stages have the hold times of {@link STAGES}. A shorter duration shortens them. */
export const RUN_S = 60;

/** New connections a second in each stage towards a goal. */
export function stageRates(goal: number, rampS: number): number[] {
  return STAGES.map(({ part }) => (goal * part) / rampS);
}

/**
 * A stage: connections open over a ramp, and send heartbeats until its end. Each rate is a stage. The hold time of a stage towards a goal
 * depends on its part of the goal.
 */
export function staged(load: Load): LoadProfile {
  const { rate, rampS, durationS, goal } = load;
  const held = goal === undefined ? undefined : STAGES.find(({ part }) => rate * rampS <= goal * part)?.seconds;
  const ensure = [{ 'sync.p99': 200 }, { 'intended to reply.p99': 200 }, { 'errors.percent': 1 }];
  return {
    ...reference({ ...load, durationS: held === undefined ? durationS : rampS + held * (durationS / RUN_S) }),
    ensure,
  };
}
