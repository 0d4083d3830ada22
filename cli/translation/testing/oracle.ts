import fc from 'fast-check';
import type { Outcome } from '../../../shared/evaluation/outcome.ts';
import type { Flag } from '../../../shared/flags/flag.ts';
import type { User } from '../../../shared/flags/user.ts';
import { parseOfrepRequest } from '../../../shared/protocol/ofrep.ts';
import { compileEnvironment } from '../../../shared/testing/evaluate.ts';
import { type Difference, isNumberText, type ValueKind } from '../differences.ts';
import type { Translation } from '../translation.ts';

/** Whom a flag is evaluated for. */
export interface Context {
  readonly key: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

/** A file of a service with this many flags, and contexts to evaluate them for. */
export interface Sample<F> {
  readonly file: F;
  readonly flags: number;
  readonly contexts: readonly Context[];
}

/** A service whose own evaluator says what its flags give. */
export interface Oracle<F> {
  readonly service: string;
  readonly read: (file: F) => Translation;
  /** Starts the evaluator: a flag's value as text, or undefined where the service has none to give. */
  readonly start: (file: F) => Promise<Evaluator>;
}

interface Evaluator {
  valueOf(flag: Flag, context: Context): Promise<string | undefined>;
  close?(): void;
}

/** What came of all evaluations. Of what is announced, a difference of that flag is about that context. */
export interface Tally {
  flags: number;
  imported: number;
  evaluations: number;
  /** The same here and there. */
  equal: number;
  /** Of these, those that a difference is about all the same. */
  equalAnnounced: number;
  /** Not the same, and announced. */
  announced: number;
}

/**
 * Holds imported flags against the service's own evaluator: each gives each context the same value, or a difference of that flag is
 * about that context. Prints how many are which, since a difference about everything would hold as well.
 *
 * @param numRuns how many files are tried
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
    const leftOut = translation.leftOut.filter((line) => !line.startsWith('segment ')).length;
    if (translation.flags.length + leftOut !== flags) throw new Error(`of ${flags} flags some are lost`);
    tally.flags += flags;
    tally.imported += translation.flags.length;
    const evaluator = await start(file);
    try {
      for (const flag of compileEnvironment(translation.flags, { segments: translation.segments }).flags) {
        const differences = translation.differencesOf(flag.document.key);
        for (const context of contexts) {
          const outcome = flag.evaluate(userOf(context));
          const theirs = await evaluator.valueOf(flag.document, context);
          const about = differences.filter((difference) =>
            isAbout(difference, { flag: flag.document, context, outcome, theirs }),
          );
          tally.evaluations++;
          if (outcome.value === theirs) {
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

/** The user that OFREP's clients make of a context. */
function userOf({ key, attributes }: Context): User {
  return parseOfrepRequest({ context: { ...attributes, targetingKey: key } }) as User;
}

interface Evaluation {
  readonly flag: Flag;
  readonly context: Context;
  readonly outcome: Outcome;
  readonly theirs: string | undefined;
}

/** Whether a difference is about this evaluation; of percentages, both draw from the same values. */
function isAbout({ scope }: Difference, { flag, context, outcome, theirs }: Evaluation): boolean {
  if (!scope) return false;
  if (scope.kind === 'attribute') {
    const value = scope.attribute === 'keyId' ? context.key : context.attributes[scope.attribute];
    return scope.values.includes(valueKindOf(value));
  }
  if (outcome.cause !== 'split') return false;
  const split = flag.rules.find(({ name }) => name === outcome.reason) ?? flag.fallthrough;
  const drawnBy = split.dispatchKey === null ? context.key : (context.attributes[split.dispatchKey] ?? '');
  // All who lack what they are drawn by get one value, which is no share.
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

/** Texts that are also a number, true, null or a list, or nearly. */
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
/** Values that are no texts. */
export const ODD_SCALARS = [null, 0, 1, 18, 19.5, -1, true, false];
const LISTS = [['us'], ['pro', 18], [18], ['18'], [true], [], { a: 1 }];

/**
 * Attributes, each mostly of the values that are meant, else of any values that contexts have, or missing.
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
      // Of a name people send text.
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
