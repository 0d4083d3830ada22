import fc from 'fast-check';
import type { Outcome } from '../../../../shared/evaluation/outcome.ts';
import type { Flag } from '../../../../shared/flags/flag.ts';
import type { User } from '../../../../shared/flags/user.ts';
import { parseOfrepRequest } from '../../../../shared/protocol/ofrep.ts';
import { compileEnvironment } from '../../../../shared/testing/evaluate.ts';
import { type Difference, isNumberText, type ValueKind } from '../differences.ts';
import type { Translation } from '../translator.ts';

/** The context of an evaluation. */
export interface Context {
  readonly key: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A service's file with a number of flags, and contexts to evaluate them for. */
export interface Sample<F> {
  readonly file: F;
  readonly flags: number;
  readonly contexts: readonly Context[];
}

/** A service with its own evaluator. */
export interface Oracle<F> {
  readonly service: string;
  /** Undefined if the import refuses the file. */
  readonly read: (file: F) => Translation | undefined;
  /** Starts the evaluator. Undefined if it refuses the file. */
  readonly start: (file: F) => Promise<Evaluator | undefined>;
}

/** The result of an evaluator that fails, as those without types do for a wrong member of any flag. */
export const FAILED = Symbol('failed');

interface Evaluator {
  /** A flag's value as text, or undefined for none. */
  valueOf(flag: Flag, context: Context): Promise<string | undefined | typeof FAILED>;
  close?(): void;
}

/** The results of all evaluations. An evaluation is announced if a difference of its flag is about its context. */
export interface Tally {
  flags: number;
  imported: number;
  evaluations: number;
  /** Equal values. */
  equal: number;
  /** Equal values that a difference is about. */
  equalAnnounced: number;
  /** Different values that are announced. */
  announced: number;
}

/**
 * Compares imported flags with the service's own evaluator. For each context, the value is equal or a difference of the
 * flag is about that context. It prints the counts, because a difference about every context would also pass.
 *
 * @param numRuns number of files
 */
export async function holdAgainst<F>(
  { service, read, start }: Oracle<F>,
  samples: fc.Arbitrary<Sample<F>>,
  numRuns: number,
): Promise<Tally> {
  const tally: Tally = { flags: 0, imported: 0, evaluations: 0, equal: 0, equalAnnounced: 0, announced: 0 };
  const causes = new Map<string, number>();
  const property = fc.asyncProperty(samples, async ({ file, flags, contexts }) => {
    const translation = read(file);
    if (!translation) return;
    const leftOut = translation.leftOut.filter((line) => !line.startsWith('segment ')).length;
    if (translation.flags.length + leftOut !== flags) throw new Error(`of ${flags} flags some are lost`);
    tally.flags += flags;
    tally.imported += translation.flags.length;
    const evaluator = await start(file);
    if (!evaluator) return;
    try {
      for (const flag of compileEnvironment(translation.flags, { segments: translation.segments }).flags) {
        const differences = translation.differencesOf(flag.document.key);
        for (const context of contexts) {
          const outcome = flag.evaluate(userOf(context));
          const theirs = await evaluator.valueOf(flag.document, context);
          if (theirs === FAILED) continue;
          const about = differences.filter((difference) =>
            isAbout(difference, { flag: flag.document, context, outcome, theirs }),
          );
          tally.evaluations++;
          if ((outcome.value ?? undefined) === theirs) {
            tally.equal++;
            if (about.length > 0) tally.equalAnnounced++;
          } else if (about.length > 0) {
            tally.announced++;
            for (const cause of new Set(about.map((difference) => difference.cause)))
              causes.set(cause, (causes.get(cause) ?? 0) + 1);
          } else {
            const report = { key: flag.document.key, ours: outcome.value, theirs, context, differences, file };
            throw new Error(JSON.stringify(report));
          }
        }
      }
    } finally {
      evaluator.close?.();
    }
  });
  await fc.assert(property, { numRuns });
  const of = (part: number) => `${part} (${((100 * part) / tally.evaluations).toFixed(1)} %)`;
  process.stdout.write(
    `${service}: ${tally.imported} of ${tally.flags} flags imported; of ${tally.evaluations} evaluations ${of(tally.equal)} equal, ` +
      `${of(tally.equalAnnounced)} of them announced, ${of(tally.announced)} different and announced ` +
      `(${Array.from(causes, ([cause, count]) => `${cause} ${count}`).join(', ')}), 0 different and not announced\n`,
  );
  return tally;
}

/** The user that OFREP clients create from a context. */
function userOf({ key, attributes }: Context): User {
  return parseOfrepRequest({ context: { ...attributes, targetingKey: key } }) as User;
}

interface Evaluation {
  readonly flag: Flag;
  readonly context: Context;
  readonly outcome: Outcome;
  readonly theirs: string | undefined;
}

/** Whether a difference is about this evaluation. In a percentage rollout, both select from the same values. */
function isAbout({ scope }: Difference, { flag, context, outcome, theirs }: Evaluation): boolean {
  if (!scope) return false;
  if (scope.kind === 'attribute') {
    const value = scope.attribute === 'keyId' ? context.key : context.attributes[scope.attribute];
    return scope.values.includes(valueKindOf(value));
  }
  if (outcome.cause !== 'split') return false;
  const split = flag.rules.find(({ name }) => name === outcome.reason) ?? flag.fallthrough;
  const drawnBy = split.dispatchKey === null ? context.key : (context.attributes[split.dispatchKey] ?? '');
  // All users without the splitting attribute get one value, outside of the shares.
  if (drawnBy === '') return false;
  const drawn = split.variations.map(({ id }) => flag.variations.find((variation) => variation.id === id)?.value);
  return drawn.includes(theirs);
}

function valueKindOf(value: unknown): ValueKind {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (value === '') return 'empty';
  if (typeof value === 'string') return isNumberText(value) ? 'number text' : 'other text';
  if (typeof value === 'number') return Number.isInteger(value) ? 'whole number' : 'fraction';
  if (typeof value === 'boolean') return 'boolean';
  return Array.isArray(value) ? 'list' : 'object';
}

/** Texts that are, or nearly are, a number, true, null or a list. */
export const ODD_TEXTS = [
  '',
  '18',
  '18.0',
  ' 18',
  '0',
  '0x10',
  '1,000',
  'true',
  'True',
  'false',
  'null',
  '["us"]',
  '{"a":1}',
  'us\n',
];
/** Values that are not text. */
export const ODD_SCALARS = [null, 0, 1, 18, 19.5, -1, true, false];
const LISTS = [['us'], ['pro', 18], [18], ['18'], [true], [], { a: 1 }];

/**
 * Attributes, mostly with the expected values. Others have arbitrary values or are missing.
 *
 * @param meant values by name
 * @param others values of any attribute
 */
export function attributesOf(
  meant: Readonly<Record<string, fc.Arbitrary<unknown>>>,
  others: readonly unknown[] = [...ODD_TEXTS, ...ODD_SCALARS, ...LISTS],
): fc.Arbitrary<Record<string, unknown>> {
  const values = Object.entries(meant).map(([name, value]) => [
    name,
    fc.oneof(
      { weight: 4, arbitrary: value },
      // For a name, clients send text.
      {
        weight: 2,
        arbitrary: fc.constantFrom<unknown>(...others.filter((other) => name !== 'name' || typeof other === 'string')),
      },
      { weight: 1, arbitrary: fc.constant('') },
      { weight: 2, arbitrary: fc.constant(undefined) },
    ),
  ]);
  return fc
    .record(Object.fromEntries(values))
    .map((all: Record<string, unknown>) =>
      Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)),
    );
}
