import { problemOfKey } from '../flags/flag.ts';
import { bytesAbove, problemOfSize, SENDABLE_BYTES } from '../flags/leanDocument.ts';
import type { CompiledFlag } from './flag.ts';
import type { CompiledSegment } from './segment.ts';

/** Sizes that were found, because each reply asks for them. */
const sizes = new WeakMap<CompiledFlag | CompiledSegment, { limitBytes: number; bytes: number | undefined }>();

/**
 * Why server-side SDKs do not receive a flag or segment. Undefined if they do. Client-side SDKs receive every flag.
 *
 * A flag that is on is not sent without the segments that it uses, because SDKs would evaluate it wrongly. An archived flag is sent
 * without them, so that SDKs learn that it is archived.
 *
 * @param limitBytes maximum size of a message. By default, that of API Gateway; hosts and polling have none
 */
export function problemOfSending(
  source: CompiledFlag | CompiledSegment,
  limitBytes = SENDABLE_BYTES,
): string | undefined {
  const isFlag = source.kind === 'flag';
  const ofKey = isFlag ? problemOfKey(source.document.key) : undefined;
  if (ofKey !== undefined) return `is not sent to server-side SDKs: ${ofKey}`;
  const ofSize = tooLarge(source, limitBytes);
  if (ofSize !== undefined) return `is not sent to server-side SDKs on API Gateway: it ${ofSize}`;
  if (!isFlag || !source.document.isEnabled || source.document.isArchived) return undefined;
  for (const segment of source.segments) {
    const problem = tooLarge(segment, limitBytes);
    if (problem === undefined) continue;
    const { id, name } = segment.document;
    return `is not sent to server-side SDKs on API Gateway: it uses segment "${name || id}", which ${problem}`;
  }
  return undefined;
}

function tooLarge(source: CompiledFlag | CompiledSegment, limitBytes: number): string | undefined {
  if (limitBytes === Number.POSITIVE_INFINITY) return undefined;
  let found = sizes.get(source);
  if (found?.limitBytes !== limitBytes) {
    found = { limitBytes, bytes: bytesAbove(limitBytes, source) };
    sizes.set(source, found);
  }
  return found.bytes === undefined ? undefined : problemOfSize(source.kind, found.bytes);
}
