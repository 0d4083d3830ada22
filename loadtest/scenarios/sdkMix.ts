import { countConnections, type Load, type LoadProfile } from './loadProfile.ts';
import { busiestRate, totalSeconds } from './script.ts';

/** A mix of SDKs that ping, identify as another user, and reconnect after a drain. */
export function sdkMix({ rate, script }: Load): LoadProfile {
  const factor = rate / busiestRate(script);
  const phases = script.phases.map((phase) =>
    'arrivalRate' in phase ? { ...phase, arrivalRate: phase.arrivalRate * factor } : phase,
  );
  const durationS = totalSeconds(phases);
  const { sdks, drain, flags } = script;
  return {
    script: 'sdks',
    phases,
    variables: { ping: 0 },
    sdks,
    peak: Math.ceil(countConnections({ phases })),
    rampS: totalSeconds(phases.slice(0, phases.findLastIndex((phase) => 'arrivalRate' in phase) + 1)),
    durationS,
    flags,
    ...(drain && { drain }),
    ensure: [{ 'sync.p99': 200 }, { 'errors.percent': 0 }],
  };
}
