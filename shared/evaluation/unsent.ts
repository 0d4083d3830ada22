import { problemOfKey } from '../flags/flag.ts';
import type { CompiledFlag } from './flag.ts';
import type { CompiledSegment } from './segment.ts';

/** Why server-side SDKs do not receive a flag or segment. Undefined if they do. Client-side SDKs receive every flag. */
export function problemOfSending(source: CompiledFlag | CompiledSegment): string | undefined {
  return 'evaluate' in source ? problemOfKey(source.document.key) : undefined;
}
