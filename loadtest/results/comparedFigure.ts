/** One figure at one rate, compared with the baseline's. */
export interface ComparedFigure {
  readonly rate: number;
  readonly name: string;
  readonly unit: string;
  readonly runs: { readonly before: number; readonly now: number };
  /** Medians over runs. */
  readonly before: number;
  readonly now: number;
  /** The shift from before to now, in the figure's unit. */
  readonly change: number;
  /** Within which the shift lies; missing for too few runs. */
  readonly interval?: readonly [from: number, to: number];
  /** The chance that runs which do not differ lie apart as far, in this direction. */
  readonly chance: number;
  readonly verdict: 'worse' | 'same' | 'better' | 'unclear';
}

/** A campaign compared with an earlier one. */
export interface Comparison {
  readonly baseline: { readonly startedAt: string; readonly commit: string };
  /** Whether a figure that is worse fails the command. */
  readonly isGate: boolean;
  /** The chance that an end of an interval is wrong; all figures together have 5 %. */
  readonly level: number;
  /** Good runs at each rate, of both, that it takes to tell anything of so many figures. */
  readonly leastRuns: number;
  readonly figures: readonly ComparedFigure[];
}
