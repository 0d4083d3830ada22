import { referencedSegments } from '../../../shared/evaluation/flag.ts';
import { type Flag, parseFlag } from '../../../shared/flags/flag.ts';
import { formatProblem, type ParseResult } from '../../../shared/flags/problem.ts';
import { parseSegment, type Segment } from '../../../shared/flags/segment.ts';
import type { Alternatives } from './conditions.ts';
import { type Difference, type DocumentDifferences, differenceLines, differencesOf, type Note } from './differences.ts';
import type { RuleContent, TrafficSplit } from './trafficSplit.ts';
import { Untranslatable } from './values.ts';

/** The content of a flag. The translator adds other fields. */
export interface FlagContent
  extends Pick<Flag, 'variationType' | 'variations' | 'isEnabled'>,
    Partial<Pick<Flag, 'tags' | 'targetUsers' | 'isArchived'>> {
  /** Defaults to the key. */
  readonly name?: unknown;
  readonly description?: unknown;
  readonly rules: readonly RuleContent[];
  readonly disabledVariationId: unknown;
  readonly fallthrough: TrafficSplit;
}

/** The content of a segment. Each alternative becomes a rule. */
interface SegmentContent {
  readonly name: string;
  readonly description?: string;
  readonly included?: readonly string[];
  readonly excluded?: readonly string[];
  readonly alternatives: Alternatives;
}

/** An imported document, its display name and its differences. */
interface TranslatedDocument<T> extends DocumentDifferences {
  readonly document: T;
}

/** Flags and segments of another service's file, and what is left out or differs. */
export type Translation = Pick<Translator, 'flags' | 'segments' | 'leftOut' | 'differences' | 'differencesOf'>;

/** Creates documents one by one. A document that is not supported is listed with the reason. */
export class Translator {
  readonly #flags = new Map<string, TranslatedDocument<Flag>>();
  readonly #segments = new Map<string, TranslatedDocument<Segment>>();
  /** Flags and segments that are not imported, each with the reason. */
  readonly leftOut: string[] = [];

  get flags(): readonly Flag[] {
    return Array.from(this.#flags.values(), ({ document }) => document);
  }

  get segments(): readonly Segment[] {
    return Array.from(this.#segments.values(), ({ document }) => document);
  }

  /** Flags and segments that are imported but evaluate differently, each with the difference, as lines. */
  get differences(): readonly string[] {
    const uses = this.flags.flatMap((flag) => Array.from(referencedSegments(flag), (id) => ({ id, flag: flag.key })));
    const bySegment = Map.groupBy(uses, ({ id }) => id);
    const segments = Array.from(this.#segments, ([id, made]) => {
      return { ...made, flags: bySegment.get(id)?.map(({ flag }) => flag) ?? [] };
    });
    return differenceLines([...segments, ...this.#flags.values()]);
  }

  /** The differences of a flag and of its segments, with the affected contexts. */
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

  /** @param called its display name, for the lists of results */
  segment(id: string, called: string, make: (note: Note) => SegmentContent): void {
    this.#make(id, `segment ${called}`, this.#segments, (note) => {
      const { alternatives, ...parts } = make(note);
      const rules = alternatives.map((conditions, n) => ({ id: `rule-${n + 1}`, name: `rule ${n + 1}`, conditions }));
      return required(parseSegment({ id, ...parts, rules }));
    });
  }

  /** @throws {Untranslatable} unless the segment is already imported */
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

/** The parsed document. @throws {Untranslatable} with the problems of each field */
export function required<T>(result: ParseResult<T>): T {
  if (result.ok) return result.value;
  const errors = result.problems.filter(({ severity }) => severity === 'error');
  throw new Untranslatable(errors.map(formatProblem).join('; '));
}
