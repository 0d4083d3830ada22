import { median } from '../../../shared/statistics/quantile.ts';

/** What is measured of every server. */
export const FIGURES = {
  newClientsPerSecond: { label: 'new clients with their first flags a second', kind: 'rate' },
  startMemoryMb: { label: 'memory of the process before its first client, MB', kind: 'size' },
  idleMemoryBytes: { label: 'memory of an idle client, bytes', kind: 'size' },
  idleProcessorPercent: { label: 'CPU use with 10,000 idle clients, % of a core', kind: 'time' },
  changeMedianMs: { label: 'change to the last of 10,000 clients, median, ms', kind: 'time' },
  changeSlowestMs: { label: 'change to the last of 10,000 clients, slowest, ms', kind: 'time' },
  changeBytes: { label: 'bytes of a change for each client', kind: 'size' },
  oneOf5PerSecond: { label: 'one flag of 5, evaluations a second', kind: 'rate' },
  allOf5PerSecond: { label: 'all of 5 flags, responses a second', kind: 'rate' },
  allOf5Bytes: { label: 'bytes of the response for all of 5 flags', kind: 'size' },
  oneOf300PerSecond: { label: 'one flag of 300, evaluations a second', kind: 'rate' },
  allOf300PerSecond: { label: 'all of 300 flags, responses a second', kind: 'rate' },
  allOf300Bytes: { label: 'bytes of the response for all of 300 flags', kind: 'size' },
} as const satisfies Readonly<Record<string, { label: string; kind: 'rate' | 'time' | 'size' }>>;
export type FigureName = keyof typeof FIGURES;
export const FIGURE_NAMES = Object.keys(FIGURES) as FigureName[];

/** One figure of one round. */
export interface Sample {
  readonly value: number;
  /** Share of a core that the server used meanwhile; only of rates. */
  readonly cpu?: number;
  /** Whether the generator had no time left, or the server some: it may do more. */
  readonly isAtLeast?: boolean;
}
export type Samples = Partial<Record<FigureName, Sample[]>>;

/** One figure of an entry. */
export interface Figure {
  /** One value of each round, or of each run of an outside measurement. */
  readonly runs: readonly number[];
  readonly median: number;
  /** Of rates: the median for each second of processor that the server used. */
  readonly perProcessorSecond?: number;
  /** As a multiple of bare Bun's in the same run; for rates, for each second of processor. */
  readonly toBareBun?: number;
  readonly isAtLeast?: boolean;
  /** Of outside measurements: our host's values under the same conditions. */
  readonly ours?: readonly number[];
  readonly note?: string;
}
export type Figures = Partial<Record<FigureName, Figure>>;

/** An entry, as its file holds it. */
export interface Entry {
  readonly entry: string;
  readonly name: string;
  readonly role: 'ours' | 'reference' | 'peer' | 'outside';
  readonly version: string;
  readonly build: string;
  readonly settings: readonly string[];
  /** Of our measurements: where they come from, as a sentence. Of outside ones: who measured, when, on what. */
  readonly measured: string;
  readonly figures: Figures;
  readonly blank: Readonly<Partial<Record<FigureName, string>>>;
  /** Where it is ahead in something that is no figure here. */
  readonly alsoAhead?: readonly string[];
  /** Runs that failed or do not count, and why. */
  readonly failed: readonly string[];
}

/** Summarises the rounds of one server. */
export function makeFigures(samples: Samples, bare: Samples = {}): Figures {
  const figures = FIGURE_NAMES.flatMap((name): [FigureName, Figure][] => {
    const found = samples[name] ?? [];
    const value = summarize(found);
    if (value === undefined) return [];
    const isRate = FIGURES[name].kind === 'rate';
    const perCpu = isRate ? perProcessorSecond(found) : undefined;
    const [own, other] = isRate
      ? [perCpu, perProcessorSecond(bare[name] ?? [])]
      : FIGURES[name].kind === 'time'
        ? [value, summarize(bare[name] ?? [])]
        : [];
    const figure: Figure = {
      runs: found.map((each) => round(each.value)),
      median: round(value),
      ...(perCpu !== undefined && { perProcessorSecond: round(perCpu) }),
      ...(own !== undefined && other !== undefined && other > 0 && { toBareBun: round(own / other) }),
      ...(found.some(({ isAtLeast }) => isAtLeast) && { isAtLeast: true }),
    };
    return [[name, figure]];
  });
  return Object.fromEntries(figures);
}

/** By what share a server is ahead of ours, above 0; undefined where it is not, or cannot be compared. */
export function findLead(name: FigureName, theirs: Figure, ours: Figure | undefined): number | undefined {
  const isRelative = theirs.toBareBun !== undefined && ours?.toBareBun !== undefined;
  const own = theirs.ours ? median(theirs.ours) : isRelative ? ours.toBareBun : ours?.median;
  const other = isRelative && !theirs.ours ? theirs.toBareBun : theirs.median;
  if (own === undefined || other === undefined) return undefined;
  const lead = FIGURES[name].kind === 'rate' ? other / own - 1 : own / other - 1;
  return lead > 0 ? lead : undefined;
}

function summarize(samples: readonly Sample[]): number | undefined {
  return samples.length === 0 ? undefined : median(samples.map(({ value }) => value));
}

function perProcessorSecond(samples: readonly Sample[]): number | undefined {
  const values = samples.flatMap(({ value, cpu = 0 }) => (cpu > 0 ? [value / cpu] : []));
  return values.length === 0 ? undefined : median(values);
}

const round = (value: number) => Number(value.toPrecision(4));
