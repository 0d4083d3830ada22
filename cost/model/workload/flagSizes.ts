import type { Assumptions } from './assumptions.ts';
import type { Workload } from './workload.ts';

/**
 * The average over all connections of something that depends on a flag's size as its SDK gets it: servers the whole document, clients
 * what it evaluates to for their user.
 */
export function averageOverSdks(
  { sdks, flagBytes }: Pick<Workload, 'sdks' | 'flagBytes'>,
  { clientFlagBytes }: Pick<Assumptions, 'clientFlagBytes'>,
  of: (bytesEach: number, type: Workload['sdks'][number]['type']) => number,
): number {
  return sdks.reduce(
    (sum, { share, type }) => sum + share * of(type === 'client' ? clientFlagBytes : flagBytes, type),
    0,
  );
}
