import { omitUndefined } from '../../shared/runtime/omitUndefined.ts';
import { ConfigError } from './configError.ts';
import type { Context } from './contextKeys.ts';

/** The same service on a machine of its own, to compare with. */
export interface Comparison {
  readonly hostType: string;
  readonly credits: Context['flagwire:hostCredits'];
  /** How often the machine is measured. */
  readonly metricsSeconds: number;
  readonly availabilityZone?: string;
  readonly machineImage?: string;
  /** The machine that load comes from, where there is one. */
  readonly generatorType?: string;
}

/** What the context says of it. @returns undefined where it is not asked for */
export function comparisonOf(context: Context): Comparison | undefined {
  if (!context['flagwire:comparison']) {
    if (!context['flagwire:loadGenerator']) return undefined;
    throw new ConfigError('Context flagwire:loadGenerator cannot be used: flagwire:comparison is not true.');
  }
  const { 'flagwire:region': region, 'flagwire:availabilityZone': availabilityZone } = context;
  if (region !== undefined && availabilityZone !== undefined && !availabilityZone.startsWith(region)) {
    throw new ConfigError(
      `Context flagwire:availabilityZone=${availabilityZone} cannot be used: the region is ${region}.`,
    );
  }
  return {
    hostType: context['flagwire:hostInstanceType'],
    credits: context['flagwire:hostCredits'],
    metricsSeconds: context['flagwire:hostMetricsSeconds'],
    ...omitUndefined({
      availabilityZone,
      machineImage: context['flagwire:machineImage'],
      generatorType: context['flagwire:loadGenerator'] ? context['flagwire:loadGeneratorInstanceType'] : undefined,
    }),
  };
}
