import fc from 'fast-check';
import { WrongForm } from '../values.ts';
import { FAILED, type Oracle, type Sample } from './oracle.ts';

/** Values of any type. */
export const ODD_MEMBERS: readonly unknown[] = [
  null,
  '',
  'true',
  '1',
  0,
  1,
  -1,
  0.5,
  true,
  false,
  [],
  {},
  ['x'],
  [1],
  { a: 1 },
];

/** Files in which some members of flags or segments, at any depth, have a value of any type or are missing. */
export function withOddMembers<F extends object>(
  samples: fc.Arbitrary<Sample<F>>,
  odd = ODD_MEMBERS,
): fc.Arbitrary<Sample<F>> {
  const steps = fc.array(fc.nat(), { minLength: 8, maxLength: 8 });
  const changes = fc.array(fc.tuple(steps, fc.constantFrom(undefined, ...odd)), { minLength: 1, maxLength: 6 });
  return fc.tuple(samples, changes).map(([sample, replaced]) => {
    const file = structuredClone(sample.file);
    for (const [path, value] of replaced) replaceIn(file, path, structuredClone(value));
    return { ...sample, file };
  });
}

/** An oracle of files with such members, which either side may refuse as a whole. */
export function ofOddFiles<F>(oracle: Oracle<F>): Oracle<F> {
  return {
    ...oracle,
    read: (file) => {
      try {
        const translation = oracle.read(file);
        // The programs disagree about which one counts.
        const isTwice = translation?.leftOut.some((line) => line.includes('a second flag'));
        return isTwice ? undefined : translation;
      } catch (error) {
        if (error instanceof WrongForm) return undefined;
        throw error;
      }
    },
    start: async (file) => {
      const evaluator = await oracle.start(file).catch(() => undefined);
      if (!evaluator) return undefined;
      return {
        valueOf: (flag, context) => evaluator.valueOf(flag, context).catch(() => FAILED),
        close: () => evaluator.close?.(),
      };
    },
  };
}

/** Goes down two levels or more, to a flag, and stops at a random one. */
function replaceIn(container: object, [step = 0, ...steps]: readonly number[], value: unknown, depth = 0): void {
  const keys = Object.keys(container);
  const key = keys[step % Math.max(1, keys.length)];
  if (key === undefined) return;
  const object = container as Record<string, unknown>;
  const member = object[key];
  const canDescend = typeof member === 'object' && member !== null && Object.keys(member).length > 0;
  if (canDescend && (depth < 2 || (steps[0] ?? 0) % 3 > 0)) replaceIn(member, steps, value, depth + 1);
  else if (depth >= 2 && value === undefined && Array.isArray(container)) container.splice(Number(key), 1);
  else if (depth >= 2 && value === undefined) delete object[key];
  else if (depth >= 2) object[key] = value;
}
