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

/** Parses the text of {@link formatDrafts}. Returns no drafts for texts of another version. */
export function parseDrafts(text: string | null): ReadonlyMap<string, Draft> {
  try {
    const { version, drafts } = JSON.parse(text ?? '{}');
    return new Map(version === VERSION ? drafts : []);
  } catch {
    return new Map();
  }
}
