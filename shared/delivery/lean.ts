import type { CompiledFlag } from '../evaluation/flag.ts';
import type { CompiledSegment } from '../evaluation/segment.ts';
import type { Document } from '../flags/document.ts';
import { ENVELOPE, leanDocumentJson } from '../flags/leanDocument.ts';

/** Built once for all SDKs, like the JSON of the whole document. */
const made = new WeakMap<CompiledFlag | CompiledSegment, string>();

/** {@link leanDocumentJson} of a compiled document. */
export function leanJson(source: CompiledFlag | CompiledSegment): string {
  const known = made.get(source);
  if (known !== undefined) return known;
  const json = leanDocumentJson(
    'evaluate' in source ? { kind: 'flag', document: source.document } : { kind: 'segment', document: source.document },
  );
  made.set(source, json);
  return json;
}

/** Size of the lean documents in a reply to a server-side SDK, in bytes. */
export function leanReplyBytes(documents: readonly Document[]): number {
  const bytes = documents.map((each) => Buffer.byteLength(leanDocumentJson(each)) + ','.length);
  return bytes.reduce((sum, each) => sum + each, ENVELOPE.length);
}
