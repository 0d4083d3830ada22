import type { Document } from './document.ts';
import { parseFlag } from './flag.ts';
import type { ParseResult } from './problem.ts';
import { parseSegment } from './segment.ts';

/** Parses a flag or a segment. */
export function parseDocument(kind: Document['kind'], value: unknown): ParseResult<Document> {
  const result = kind === 'flag' ? parseFlag(value) : parseSegment(value);
  return result.ok ? { ...result, value: { kind, document: result.value } as Document } : result;
}
