import type { Flag } from '../../shared/flags/flag.ts';
import type { Segment } from '../../shared/flags/segment.ts';
import type { Difference } from './differences.ts';

/** What flags here have no words for; the message says what. */
export class Untranslatable extends Error {
  override name = 'Untranslatable';
}

/** A file that is not of the form that was asked for; the message names the field. */
export class WrongForm extends Error {
  override name = 'WrongForm';
}

/** Flags and segments of another service's file, and what became of the others. */
export interface Translation {
  readonly flags: readonly Flag[];
  readonly segments: readonly Segment[];
  /** Flags and segments that are not imported, each with the reason. */
  readonly leftOut: readonly string[];
  /** Flags and segments that are imported and not quite the same, each with the difference, as lines. */
  readonly differences: readonly string[];
  /** What of a flag, and of the segments that it asks for, is not quite the same, and for which contexts. */
  differencesOf(flagKey: string): readonly Difference[];
}
