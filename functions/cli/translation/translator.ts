import { type Flag, parseFlag, type Variation, type VariationType } from '../../../shared/flags/flag.ts';
import { formatProblem, type ParseResult } from '../../../shared/flags/problem.ts';
import { parseSegment, type Segment } from '../../../shared/flags/segment.ts';
import type { Alternatives } from './alternatives.ts';
import { differencesOf } from './differences.ts';
import type { RuleParts, TrafficSplit } from './trafficSplit.ts';
import { type Note, type Translation, Untranslatable } from './translation.ts';

/** What a flag is made of; of other fields the translator knows enough. */
export interface FlagParts {
  /** Its key, unless given. */
  readonly name?: unknown;
  readonly description?: unknown;
  readonly tags?: readonly string[];
  readonly variationType: VariationType;
  readonly variations: readonly Variation[];
  readonly targetUsers?: Flag['targetUsers'];
  readonly rules: readonly RuleParts[];
  readonly isEnabled: boolean;
  readonly disabledVariationId: unknown;
  readonly fallthrough: TrafficSplit;
}

/** What a segment is made of: its alternatives become rules. */
interface SegmentParts {
  readonly name: string;
  readonly description?: string;
  readonly included?: readonly string[];
  readonly excluded?: readonly string[];
  readonly alternatives: Alternatives;
}

/** Makes documents one by one: each is made, or named with the reason. */
export class Translator implements Translation {
  readonly #flags = new Map<string, Flag>();
  readonly #segments = new Map<string, Segment>();
  readonly leftOut: string[] = [];
  readonly differences: string[] = [];

  get flags(): readonly Flag[] {
    return [...this.#flags.values()];
  }

  get segments(): readonly Segment[] {
    return [...this.#segments.values()];
  }

  flag(key: string, make: (note: Note) => FlagParts): void {
    this.#make(key, key, this.#flags, (note) => {
      const { name, rules, ...parts } = make(note);
      const named = rules.map((rule, n) => ({ id: `rule-${n + 1}`, name: `rule ${n + 1}`, ...rule }));
      return required(parseFlag({ key, name: name ?? key, ...parts, rules: named }));
    });
  }

  /** @param called what people know it by, for what becomes of it */
  segment(id: string, called: string, make: (note: Note) => SegmentParts): void {
    this.#make(id, `segment ${called}`, this.#segments, (note) => {
      const { alternatives, ...parts } = make(note);
      const rules = alternatives.map((conditions, n) => ({ id: `rule-${n + 1}`, name: `rule ${n + 1}`, conditions }));
      return required(parseSegment({ id, ...parts, rules }));
    });
  }

  /** @throws {Untranslatable} unless there is such a segment by now */
  requireSegment(id: string, called: string): void {
    if (!this.#segments.has(id)) throw new Untranslatable(`the segment ${called}, which is not imported`);
  }

  #make<T extends Flag | Segment>(id: string, called: string, made: Map<string, T>, make: (note: Note) => T): void {
    const notes = new Set<string>();
    try {
      if (made.has(id)) throw new Untranslatable('a second one of this key');
      const document = make((difference) => notes.add(difference));
      made.set(id, document);
      this.differences.push(...[...notes, ...differencesOf(document)].map((text) => `${called}: ${text}`));
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error;
      this.leftOut.push(`${called}: there is nothing here for ${error.message}`);
    }
  }
}

/** What was read. @throws {Untranslatable} what is wrong with it, field by field */
export function required<T>(result: ParseResult<T>): T {
  if (result.ok) return result.value;
  const errors = result.problems.filter(({ severity }) => severity === 'error');
  throw new Untranslatable(errors.map(formatProblem).join('; '));
}
