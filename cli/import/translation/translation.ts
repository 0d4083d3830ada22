import type { Flag } from '../../../shared/flags/flag.ts';
import type { Segment } from '../../../shared/flags/segment.ts';
import type { Difference } from './differences.ts';

/** A part of a file that is not supported here. The message names it. */
export class Untranslatable extends Error {
  override name = 'Untranslatable';
}

/** A file in another format than requested. The message names the field. */
export class WrongForm extends Error {
  override name = 'WrongForm';
}

/** Flags and segments of another service's file, and what is left out or differs. */
export interface Translation {
  readonly flags: readonly Flag[];
  readonly segments: readonly Segment[];
  /** Flags and segments that are not imported, each with the reason. */
  readonly leftOut: readonly string[];
  /** Flags and segments that are imported but evaluate differently, each with the difference, as lines. */
  readonly differences: readonly string[];
  /** The differences of a flag and of its segments, with the affected contexts. */
  differencesOf(flagKey: string): readonly Difference[];
}
