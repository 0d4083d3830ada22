import type { Document } from '../../../shared/flags/document.ts';
import type { VersionedDocument } from '../../api.ts';

/** An unsaved edit. */
export interface Draft {
  /** The stored document that was edited. */
  readonly base: VersionedDocument;
  readonly document: Document;
}

/** Version of the format. A page ignores other versions. */
const VERSION = 1;
/** Maximum size of all drafts, in characters. A browser stores about 5 million for each tab. */
const LIMIT = 2_000_000;

/** Required fields. */
const LISTS = {
  flag: ['variations', 'targetUsers', 'rules', 'tags'],
  segment: ['included', 'excluded', 'rules'],
} as const;

/** Serializes drafts, oldest first. Drops the oldest ones above the limit. */
export function formatDrafts(drafts: ReadonlyMap<string, Draft>): string {
  const kept: string[] = [];
  let length = 0;
  for (const entry of [...drafts].toReversed()) {
    const text = JSON.stringify(entry);
    length += text.length;
    if (length > LIMIT) break;
    kept.unshift(text);
  }
  return `{"version":${VERSION},"drafts":[${kept}]}`;
}

/** Parses the text of {@link formatDrafts}. Returns no drafts for other texts. */
export function parseDrafts(text: string | null): ReadonlyMap<string, Draft> {
  const none = new Map<string, Draft>();
  try {
    const { version, drafts } = JSON.parse(text ?? '{}');
    return version === VERSION && Array.isArray(drafts) && drafts.every(isEntry) ? new Map(drafts) : none;
  } catch {
    return none;
  }
}

function isEntry(value: unknown): value is [string, Draft] {
  if (!Array.isArray(value) || typeof value[0] !== 'string' || !isObject(value[1])) return false;
  const { base, document } = value[1];
  return isDocument(base) && isDocument(document) && 'version' in base && typeof base.version === 'number';
}

function isDocument(value: unknown): value is Document {
  if (!isObject(value) || !isObject(value['document'])) return false;
  const { kind, document } = value;
  if (kind !== 'flag' && kind !== 'segment') return false;
  const hasLists = LISTS[kind].every((name) => Array.isArray(document[name]));
  return hasLists && typeof document['id'] === 'string' && (kind === 'segment' || isObject(document['fallthrough']));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
