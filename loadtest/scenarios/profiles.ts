import { type Load, type LoadProfile, REFERENCE_CRITERIA } from './loadProfile.ts';

/** Time between the last connection and the first change, and after the last change, in seconds. */
export const SETTLE_S = 5;

/** Time for the last replies to heartbeats, in seconds. */
const SLACK_S = 10;

/** FeatBit's published benchmark: `rate` new connections a second for 20 s, held with pings until 180 s. */
export function reference({ rate, rampS, durationS, pingS }: Load): LoadProfile {
  return {
    script: 'data-sync',
    phases: [{ name: 'ramp', duration: rampS, arrivalRate: rate }],
    variables: { ping: pingS },
    peak: rate * rampS,
    rampS,
    durationS,
    ensure: REFERENCE_CRITERIA,
  };
}

/** New connections at a constant rate, each with a fixed lifetime, as the prose of FeatBit's benchmark suggests. */
export function sustained({ rate, durationS, liveS, pingS }: Load): LoadProfile {
  return {
    script: 'data-sync',
    phases: [{ name: 'arrivals', duration: durationS, arrivalRate: rate }],
    variables: { live: liveS, ping: pingS },
    peak: rate * Math.min(liveS, durationS),
    rampS: durationS,
    durationS: durationS + liveS,
    ensure: REFERENCE_CRITERIA,
  };
}

/** Changes of a flag while connections are held. */
export function push({ rate, connections, flips, flipEveryS, pingS }: Load): LoadProfile {
  const rampS = connections / rate;
  const durationS = rampS + flips * flipEveryS + 2 * SETTLE_S;
  return {
    script: 'push',
    phases: [{ name: 'climb', duration: rampS, arrivalRate: rate }],
    variables: { ping: pingS },
    peak: connections,
    rampS,
    durationS,
    ensure: [{ 'push.p99': 1_000 }, { 'changes.missing': 0 }, { 'errors.percent': 0 }],
  };
}

/** StormForge's test (https://www.stormforge.io/blog/perf-testing-over-1-million-requests/): a message a second for five minutes. */
export function heartbeat({ rate, durationS, messages: [atLeast, atMost], everyS, message }: Load): LoadProfile {
  const liveS = atMost * everyS;
  return {
    script: 'heartbeat',
    phases: [{ name: 'arrivals', duration: durationS, arrivalRate: rate }],
    variables: { ping: everyS, message, atLeast, atMost },
    peak: rate * Math.min(durationS, liveS),
    rampS: durationS,
    durationS: durationS + liveS + SLACK_S,
    ensure: [{ 'intended to reply.p99': 1_000 }, { 'errors.percent': 1 }],
  };
}

/** A stage: connections open over a ramp, and send heartbeats until its end. Each rate is a stage. */
export function staged(load: Load): LoadProfile {
  const ensure = [{ 'sync.p99': 200 }, { 'intended to reply.p99': 200 }, { 'errors.percent': 1 }];
  return { ...reference(load), ensure };
}
