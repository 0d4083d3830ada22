/** The runner's result of one of Autobahn's cases. */
export interface CaseOutcome {
  /** `OK`, `NON-STRICT`, `INFORMATIONAL`, `UNIMPLEMENTED`, `FAILED` or `ERROR`: of the messages, and of how it was closed. */
  readonly behavior: string;
  readonly behaviorClose: string;
  /** The status with which the server closed; null for none. */
  readonly remoteCloseCode: number | null;
}

/** A way in which the host differs on purpose, and in exactly which cases. */
interface Difference {
  readonly cases: readonly string[];
  /** The behavior of the host, and its reason. */
  readonly why: string;
  readonly isMet: (outcome: CaseOutcome) => boolean;
}

const closedWith = (status: number) => (outcome: CaseOutcome) => outcome.remoteCloseCode === status;

/** Autobahn's cases that cannot pass, as the protocol has neither large nor binary messages from SDKs. */
export const DIFFERENCES: readonly Difference[] = [
  {
    cases: ['1.2.*', '9.2.1', '9.8.*'],
    why: 'binary messages are not taken, as FeatBit’s protocol has none: 1003',
    isMet: closedWith(1003),
  },
  {
    cases: ['9.1.*', '9.2.*', '9.3.*', '9.4.*', '9.5.*', '9.6.*'],
    why: 'a message of more than 128 KB ends the connection: 1009',
    isMet: closedWith(1009),
  },
  {
    cases: ['12.*', '13.*'],
    why: 'binary messages are refused (1003), windows below 32 KB and Node get no compression, and kosoku cannot compress text',
    isMet: (outcome) =>
      closedWith(1003)(outcome) ||
      // Some cases send 128 KB, which is the limit.
      closedWith(1009)(outcome) ||
      (outcome.behavior === 'UNIMPLEMENTED' && outcome.behaviorClose === 'OK') ||
      // kosoku 0.1.0 ends its cases with text itself: "Strings must be encoded before hashing".
      (outcome.behavior === 'ERROR' && outcome.remoteCloseCode === null),
  },
];

const GOOD = new Set(['OK', 'NON-STRICT', 'INFORMATIONAL']);

/**
 * Judges cases by their ids.
 *
 * @returns the number that passed, the number for each of the {@link DIFFERENCES}, and those that neither pass nor differ as they should
 */
export function judgeCases(outcomes: Readonly<Record<string, CaseOutcome>>) {
  let passed = 0;
  const differ = new Map<Difference, number>();
  const failed: string[] = [];
  for (const [id, outcome] of Object.entries(outcomes)) {
    if (GOOD.has(outcome.behavior) && GOOD.has(outcome.behaviorClose)) {
      passed++;
      continue;
    }
    const difference = DIFFERENCES.find(({ cases }) => cases.some((pattern) => matches(pattern, id)));
    if (difference?.isMet(outcome)) differ.set(difference, (differ.get(difference) ?? 0) + 1);
    else failed.push(id);
  }
  return { passed, differ, failed };
}

function matches(pattern: string, id: string): boolean {
  return pattern.endsWith('*') ? id.startsWith(pattern.slice(0, -1)) : id === pattern;
}
