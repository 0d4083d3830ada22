import { referencedSegments } from '../../shared/evaluation/flag.ts';
import { type Flag, parseFlag, type Variation, type VariationType } from '../../shared/flags/flag.ts';
import { formatProblem, type ParseResult } from '../../shared/flags/problem.ts';
import { parseSegment, type Segment } from '../../shared/flags/segment.ts';
import type { Alternatives } from './alternatives.ts';
import { differenceLines } from './differenceLines.ts';
import { type Difference, differencesOf, type Note } from './differences.ts';
import type { RuleContent, TrafficSplit } from './trafficSplit.ts';
import { type Translation, Untranslatable } from './translation.ts';

/** What a flag is made of; of other fields the translator knows enough. */
export interface FlagContent {
  /** Its key, unless given. */
  readonly name?: unknown;
  readonly description?: unknown;
  readonly tags?: readonly string[];
  readonly variationType: VariationType;
  readonly variations: readonly Variation[];
  readonly targetUsers?: Flag['targetUsers'];
  readonly rules: readonly RuleContent[];
  readonly isEnabled: boolean;
  readonly disabledVariationId: unknown;
  readonly fallthrough: TrafficSplit;
}

/** What a segment is made of: its alternatives become rules. */
interface SegmentContent {
  readonly name: string;
  readonly description?: string;
  readonly included?: readonly string[];
  readonly excluded?: readonly string[];
  readonly alternatives: Alternatives;
}

/** A document that was made, what people know it by, and what of it is not quite the same. */
interface TranslatedDocument<T> {
  readonly document: T;
  readonly called: string;
  readonly differences: readonly Difference[];
}

/** Makes documents one by one: each is made, or named with the reason. */
export class Translator implements Translation {
  readonly #flags = new Map<string, TranslatedDocument<Flag>>();
  readonly #segments = new Map<string, TranslatedDocument<Segment>>();
  readonly leftOut: string[] = [];

  get flags(): readonly Flag[] {
    return Array.from(this.#flags.values(), ({ document }) => document);
  }

  get segments(): readonly Segment[] {
    return Array.from(this.#segments.values(), ({ document }) => document);
  }

  get differences(): readonly string[] {
    const askedBy = new Map<string, string[]>();
    for (const { document } of this.#flags.values()) {
      for (const id of referencedSegments(document)) {
        const flags = askedBy.get(id) ?? [];
        flags.push(document.key);
        askedBy.set(id, flags);
      }
    }
    const segments = Array.from(this.#segments, ([id, made]) => ({ ...made, flags: askedBy.get(id) ?? [] }));
    return differenceLines([...segments, ...this.#flags.values()]);
  }

  differencesOf(flagKey: string): readonly Difference[] {
    const flag = this.#flags.get(flagKey);
    if (!flag) return [];
    const segments = [...referencedSegments(flag.document)].map((id) => this.#segments.get(id));
    return [flag, ...segments].flatMap((made) => made?.differences ?? []);
  }

  flag(key: string, make: (note: Note) => FlagContent): void {
    this.#make(key, key, this.#flags, (note) => {
      const { name, rules, ...parts } = make(note);
      const named = rules.map((rule, n) => ({ id: `rule-${n + 1}`, name: `rule ${n + 1}`, ...rule }));
      return required(parseFlag({ key, name: name ?? key, ...parts, rules: named }));
    });
  }

  /** @param called what people know it by, for what becomes of it */
  segment(id: string, called: string, make: (note: Note) => SegmentContent): void {
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

  #make<T extends Flag | Segment>(
    id: string,
    called: string,
    made: Map<string, TranslatedDocument<T>>,
    make: (note: Note) => T,
  ): void {
    const notes: Difference[] = [];
    try {
      if (made.has(id)) throw new Untranslatable('a second flag or segment with this key');
      const document = make((difference) => notes.push(difference));
      made.set(id, { document, called, differences: [...notes, ...differencesOf(document)] });
    } catch (error) {
      if (!(error instanceof Untranslatable)) throw error;
      this.leftOut.push(`${called}: not supported: ${error.message}`);
    }
  }
}

/** What was read. @throws {Untranslatable} what is wrong with it, field by field */
export function required<T>(result: ParseResult<T>): T {
  if (result.ok) return result.value;
  const errors = result.problems.filter(({ severity }) => severity === 'error');
  throw new Untranslatable(errors.map(formatProblem).join('; '));
}
