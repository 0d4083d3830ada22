import type { MissingAttribute } from '../evaluation/condition.ts';
import type { InvalidCondition } from '../evaluation/invalidCondition.ts';
import type { Outcome } from '../evaluation/outcome.ts';
import { compileSnapshot, type Snapshot } from '../evaluation/snapshot.ts';
import type { Flag } from '../flags/flag.ts';
import type { Segment } from '../flags/segment.ts';
import type { User } from '../flags/user.ts';

/** Dependencies of compiling a test's flags, in addition to the flags. */
interface TestEnvironment {
  readonly segments?: readonly Segment[];
  readonly missingAttribute?: MissingAttribute;
  readonly onSkipped?: (condition: InvalidCondition) => void;
}

/** Compiles flags as a separate environment at version 1. */
export function compileEnvironment(flags: readonly Flag[], environment: TestEnvironment = {}): Snapshot {
  return compileSnapshot({ envId: 'env', version: 1, flags, segments: [], ...environment });
}

/** Evaluates one flag, the only one of its environment, for a user. */
export function evaluateFlag(flag: Flag, user: User, environment: TestEnvironment = {}): Outcome {
  const [compiled] = compileEnvironment([flag], environment).flags;
  if (!compiled) throw new Error('the flag has not been compiled');
  return compiled.evaluate(user);
}

/** The problems found when one flag is compiled. */
export function invalidConditionsOf(flag: Flag, environment: TestEnvironment = {}): readonly InvalidCondition[] {
  return compileEnvironment([flag], environment).invalidConditions;
}

/** A snapshot's results for a user, by flag key: the outcome's client JSON. */
export function resultsByKey(snapshot: Snapshot, user: User): Map<string, string> {
  return new Map(snapshot.flags.map((flag) => [flag.document.key, flag.evaluate(user).clientJson]));
}
