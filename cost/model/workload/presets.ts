import presets from './presets.json' with { type: 'json' };
import type { WorkloadInput } from './workload.ts';

/** The name of a typical workload. */
export type PresetName = keyof typeof presets;

/** Workloads to start from. */
export const PRESETS = presets as Readonly<
  Record<PresetName, { readonly title: string; readonly about: string; readonly workload: WorkloadInput }>
>;
