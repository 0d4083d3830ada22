import type { MissingAttribute } from '../shared/evaluation/condition.ts';
import { CompiledFlag, referencedSegments } from '../shared/evaluation/flag.ts';
import { formatInvalidCondition } from '../shared/evaluation/invalidCondition.ts';
import type { ExpressionEngine } from '../shared/evaluation/operators.ts';
import { type CompiledSegment, compileSegment } from '../shared/evaluation/segment.ts';
import type { Flag } from '../shared/flags/flag.ts';
import { formatProblem } from '../shared/flags/problem.ts';
import type { Segment } from '../shared/flags/segment.ts';
import { decodeDocument, documentBytes, type StoredDocument } from '../shared/store/documents/item.ts';
import type { ReadStep } from '../shared/store/snapshots/readStep.ts';

interface FlagsDeps {
  readonly missingAttribute: MissingAttribute;
  /** The engine of regular expressions, once it is loaded. */
  readonly engine: () => ExpressionEngine | undefined;
  /** Logs a document that cannot be read, or a condition with an unintended effect, as one line. */
  readonly report: (line: string) => void;
}

/**
 * The flags and segments of an environment at one version. A flag is parsed and compiled on its first evaluation, because a function
 * that starts evaluates few of them.
 */
export class Flags {
  readonly #deps: FlagsDeps;
  /** By kind and id. */
  readonly #documents: ReadonlyMap<string, StoredDocument>;
  /** By key. Without an unreadable flag. */
  readonly #compiled: Map<string, CompiledFlag | undefined>;
  readonly #segments = new Map<string, CompiledSegment | undefined>();

  /** @param before the flags that the step's changes belong to */
  constructor({ documents, after }: ReadStep, before: Flags | undefined, deps: FlagsDeps) {
    const isChange = after !== undefined && before !== undefined;
    const isReused = isChange && documents.every(({ kind }) => kind === 'flag');
    const all = new Map(isChange ? before.#documents : []);
    this.#compiled = new Map(isReused ? before.#compiled : []);
    for (const document of documents) {
      all.set(nameOf(document.kind, document.id), document);
      this.#compiled.delete(document.id);
    }
    this.#documents = all;
    this.#deps = deps;
  }

  /** Size of the documents as JSON, in bytes. */
  get bytes(): number {
    return [...this.#documents.values()].reduce((sum, document) => sum + documentBytes(document), 0);
  }

  /** Whether there is a flag, readable or not. */
  has(key: string): boolean {
    return this.#documents.has(nameOf('flag', key));
  }

  /**
   * A flag by its key.
   *
   * @returns undefined if it does not exist or cannot be read
   * @throws {EngineMissing} if it needs the engine of regular expressions
   */
  get(key: string): CompiledFlag | undefined {
    const known = this.#compiled.get(key);
    if (known || this.#compiled.has(key)) return known;
    const stored = this.#documents.get(nameOf('flag', key));
    // Keys of unknown flags are not kept: there may be any number of them.
    if (!stored) return undefined;
    const document = this.#decode(stored) as Flag | undefined;
    const compiled = document && this.#compile(document);
    this.#compiled.set(key, compiled);
    return compiled;
  }

  #compile(flag: Flag): CompiledFlag {
    const segments = new Map([...referencedSegments(flag)].map((id) => [id, this.#segment(id)]));
    const context = { ...this.#context('flag', flag.key), segment: (id: string) => segments.get(id)?.contains };
    const used = [...segments.values()].filter((segment) => segment !== undefined);
    return new CompiledFlag(flag, context, used);
  }

  #segment(id: string): CompiledSegment | undefined {
    const stored = this.#documents.get(nameOf('segment', id));
    if (!stored || this.#segments.has(id)) return this.#segments.get(id);
    const document = this.#decode(stored) as Segment | undefined;
    const compiled = document && compileSegment(document, this.#context('segment', id));
    this.#segments.set(id, compiled);
    return compiled;
  }

  #context(kind: StoredDocument['kind'], id: string) {
    const { missingAttribute, engine, report: log } = this.#deps;
    const report = (path: string, message: string) => log(formatInvalidCondition({ kind, id, path, message }));
    return { missingAttribute, engine: engine(), report, onSkipped: report };
  }

  #decode(stored: StoredDocument): Flag | Segment | undefined {
    const result = decodeDocument(stored);
    if (result.ok) return result.value.document;
    this.#deps.report(`${stored.kind} "${stored.id}" cannot be read: ${result.problems.map(formatProblem).join('; ')}`);
    return undefined;
  }
}

function nameOf(kind: StoredDocument['kind'], id: string): string {
  return `${kind}#${id}`;
}
