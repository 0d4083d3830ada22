import { readFileSync } from 'node:fs';
import { type Bound, type Result, TO_BARE } from '../benchmark.ts';

/** The ratios to a bare server, with the half of what a file of several runs has as their limits. @throws Error if it has none of them */
export function halveLimits(bounds: readonly Bound[], file: string): Bound[] {
  const { results } = JSON.parse(readFileSync(file, 'utf8')) as { readonly results: readonly Result[] };
  const medians = new Map(results.at(-1)?.rows.map(([label, value]) => [label, Number(value)]));
  const limits = bounds.flatMap(({ name, measured, unit, atMost }): Bound[] => {
    const published = unit === TO_BARE ? medians.get(`${name}, ${unit}`) : undefined;
    if (published === undefined) return [];
    return [
      { name, measured, unit, ...(atMost === undefined ? { atLeast: published / 2 } : { atMost: published * 2 }) },
    ];
  });
  if (limits.length === 0) throw new Error(`${file} has none of these ratios: measure it with --runs 3`);
  return limits;
}
