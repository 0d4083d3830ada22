import type { Document } from '../flags/document.ts';
import type { Flag } from '../flags/flag.ts';
import { leanDocumentJson } from '../flags/leanDocument.ts';
import type { Segment } from '../flags/segment.ts';
import { parseTimestamp } from '../flags/timestamp.ts';
import { wireJson } from '../flags/wireDocument.ts';

interface Documents {
  readonly flag: Flag;
  readonly segment: Segment;
}

/** What a compiled flag and a compiled segment have in common. Its JSON is built once for all server-side SDKs. */
export class CompiledDocument<K extends keyof Documents> {
  readonly kind: K;
  readonly document: Documents[K];
  /** Unix milliseconds: the item's version on the wire. */
  readonly updatedAt: number;
  #json: string | undefined;
  #leanJson: string | undefined;

  constructor(kind: K, document: Documents[K]) {
    this.kind = kind;
    this.document = document;
    this.updatedAt = parseTimestamp(document.updatedAt) ?? 0;
  }

  get json(): string {
    this.#json ??= wireJson(this.document);
    return this.#json;
  }

  /** {@link leanDocumentJson} */
  get leanJson(): string {
    this.#leanJson ??= leanDocumentJson({ kind: this.kind, document: this.document } as Document);
    return this.#leanJson;
  }
}
