import type { Document } from '../../../shared/flags/document.ts';
import type { VersionedDocument } from '../../api.ts';

/** An edit that is not saved yet. */
export interface Draft {
  /** The stored document that was edited. */
  readonly base: VersionedDocument;
  readonly document: Document;
}

/** The version of the format below. A page ignores every other. */
const VERSION = 1;
/** Characters of all drafts that are kept. A browser keeps about 5 million for each tab. */
const LIMIT = 2_000_000;

/** Fields that pages read without a check. */
const LISTS = {
  flag: ['variations', 'targetUsers', 'rules', 'tags'],
  segment: ['included', 'excluded', 'rules'],
} as const;

/** Drafts as text, oldest first. The oldest ones are left out where all of them are too long. */
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

/** Drafts from the text of {@link formatDrafts}; none from any other text. */
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
