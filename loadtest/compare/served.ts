import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from '../../shared/statistics/quantile.ts';
import { sumOf } from '../../shared/statistics/sumOf.ts';
import { writeJson } from '../report/write.ts';
import type { Control } from '../runner/progress.ts';
import { SERVE_TIMEOUT_S } from '../testbed/load.ts';
import { targetOf, withGenerators } from '../testbed/testbed.ts';
import type { MeasurableDesign } from './designs.ts';

/** Processes that open connections. One may open 20,000 files. */
const GENERATORS = 2;

/** Seconds over which new clients connect, as in FeatBit's benchmark. */
const RAMP_S = 20;

/** Clients that connect at a rate for as long as in FeatBit's benchmark, and try again like FeatBit's JavaScript SDK. */
export interface Served {
  /** New clients a second in FeatBit's benchmark. */
  readonly rate: number;
  readonly clients: number;
  /** Clients that received their flags. */
  readonly served: number;
  /** Refused attempts. */
  readonly refused: number;
  /** Time from the first client to the flags of the last one. */
  readonly allAfterS: number;
  /** Time from a client's first attempt to its flags. */
  readonly medianWaitS: number;
}

const fileOf = ({ name }: MeasurableDesign, out: string) => join(out, name, 'served.json');

/** Seconds to measure a design at these rates. Clients of a design with low quotas may need longer. */
export function servedSeconds(rates: readonly number[]): number {
  return rates.length * RAMP_S;
}

/** The results of a design. Undefined if it was not measured. */
export function readServed(design: MeasurableDesign, out: string): readonly Served[] | undefined {
  const path = fileOf(design, out);
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined;
}

/** True if a design was measured at each rate. */
export function isServed(design: MeasurableDesign, rates: readonly number[], out: string): boolean {
  return rates.every((rate) => readServed(design, out)?.some((each) => each.rate === rate));
}

/** Measures when all clients of a design have their flags, at each rate. */
export async function measureServed(
  design: MeasurableDesign,
  rates: readonly number[],
  out: string,
  { progress, signal }: Control,
): Promise<void> {
  const found = [...(readServed(design, out) ?? [])];
  for (const rate of rates) {
    if (signal.aborted || found.some((each) => each.rate === rate)) continue;
    progress.say(`${design.title}: clients that try again, ${rate} a second`);
    found.push(await serveAt(design, rate));
    writeJson(fileOf(design, out), found);
  }
}

async function serveAt(design: MeasurableDesign, rate: number): Promise<Served> {
  const clients = rate * design.part * RAMP_S;
  const target = await design.open(clients);
  try {
    const share = { rate: (rate * design.part) / GENERATORS, count: Math.round(clients / GENERATORS) };
    const all = await withGenerators(targetOf(target), GENERATORS, (generators) =>
      Promise.all(generators.map(({ ask }) => ask('serve', share))),
    );
    const waits = all.flatMap((each) => each.waitsMs);
    return {
      rate,
      clients,
      served: waits.length,
      refused: sumOf(all, (each) => each.refused),
      allAfterS: waits.length < clients ? SERVE_TIMEOUT_S : Math.max(...all.map((each) => each.lastAfterMs)) / 1_000,
      medianWaitS: median(waits) / 1_000,
    };
  } finally {
    await target.close();
  }
}
