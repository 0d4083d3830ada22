import { isJsonObject } from '../../../shared/flags/reader.ts';
import { ALWAYS, type Alternatives, allOf, anyOf, isNotSet, NEVER } from '../translation/conditions.ts';
import { NO_TEXTS, type Note, noteValues } from '../translation/differences.ts';
import { Untranslatable } from '../translation/values.ts';
import { AFFIXES, attributeOf, readComparison, untranslatable } from './comparisons.ts';

/** Maximum number of operations in one condition, including those behind `$ref`. */
const OPERATIONS_LIMIT = 1_000;

/** The single operator of a JsonLogic operation, and its arguments. @throws {Untranslatable} for anything else */
export function operationOf(logic: unknown): readonly [operator: string, args: readonly unknown[]] {
  const [entry, ...others] = isJsonObject(logic) ? Object.entries(logic) : [];
  if (!entry || others.length > 0) throw untranslatable(logic);
  return [entry[0], Array.isArray(entry[1]) ? entry[1] : [entry[1]]];
}

/**
 * Translates one condition of JsonLogic into alternatives. A new reader is needed for each condition, because it limits
 * the operations.
 *
 * @param evaluators the shared rules that `$ref` may name
 */
export class ConditionReader {
  readonly #evaluators: Readonly<Record<string, unknown>>;
  readonly #note: Note;
  #operations = 0;

  constructor(evaluators: Readonly<Record<string, unknown>>, note: Note) {
    this.#evaluators = evaluators;
    this.#note = note;
  }

  /**
   * The alternatives in which a condition matches, or in which it does not. @throws {Untranslatable} if it is not
   * supported
   */
  read(logic: unknown, isNegated = false): Alternatives {
    if (typeof logic === 'boolean') return logic === isNegated ? NEVER : ALWAYS;
    const [operator, args] = this.#operationOf(logic);
    const parts = (negated: boolean) => args.map((arg) => this.read(arg, negated));
    if (operator === '$ref') return this.read(args[0], isNegated);
    if (operator === '!' && args.length === 1) return this.read(args[0], !isNegated);
    if (operator === 'and') return isNegated ? anyOf(parts(true)) : allOf(parts(false));
    if (operator === 'or') return isNegated ? allOf(parts(true)) : anyOf(parts(false));
    return readComparison(operator, args, isNegated, logic, this.#note);
  }

  /**
   * The alternatives in which a condition returns null. If it is the whole targeting, null is neither true nor false.
   * `starts_with` and `ends_with` return null for anything that is not text. `and` returns its first false part, `or`
   * its last.
   *
   * @throws {Untranslatable} if it is not supported
   */
  readNull(logic: unknown): Alternatives {
    if (typeof logic === 'boolean') return NEVER;
    const [operator, args] = this.#operationOf(logic);
    const nullBehind = (n: number, isNegated: boolean): Alternatives => {
      const isNull = this.readNull(args[n]);
      if (isNull.length === 0) return NEVER;
      return allOf([...args.slice(0, n).map((arg) => this.read(arg, isNegated)), isNull]);
    };
    if (operator === '$ref') return this.readNull(args[0]);
    if (operator === 'and') return anyOf(args.map((_, n) => nullBehind(n, false)));
    if (operator === 'or') return nullBehind(args.length - 1, true);
    const attribute = AFFIXES.has(operator) ? attributeOf(args[0]) : undefined;
    if (!attribute || attribute.isText) return NEVER;
    const { property, isEmptyIfMissing } = attribute;
    noteValues(this.#note, property, [...NO_TEXTS, isEmptyIfMissing ? 'null' : 'empty']);
    return isEmptyIfMissing ? NEVER : [[isNotSet(property)]];
  }

  /** An operation. For `$ref`, the shared rule. */
  #operationOf(logic: unknown): ReturnType<typeof operationOf> {
    if (++this.#operations > OPERATIONS_LIMIT)
      throw new Untranslatable(`a condition of more than ${OPERATIONS_LIMIT} operations`);
    const [operator, args] = operationOf(logic);
    const [first] = args;
    if (operator === '$ref' && !(typeof first === 'string' && Object.hasOwn(this.#evaluators, first)))
      throw new Untranslatable(`the evaluator ${JSON.stringify(first)}, which is not in "$evaluators" of the file`);
    if (args.length === 0) throw untranslatable(logic);
    return operator === '$ref' ? [operator, [this.#evaluators[first as string]]] : [operator, args];
  }
}
