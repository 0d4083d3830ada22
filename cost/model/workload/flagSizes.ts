import type { Assumptions } from './assumptions.ts';
import type { Workload } from './workload.ts';

/** Bytes of a flag as SDKs of a type get it: servers the whole document, clients what it evaluates to for their user. */
export function flagBytesFor(
  type: Workload['sdks'][number]['type'],
  { flagBytes }: Pick<Workload, 'flagBytes'>,
  { clientFlagBytes }: Pick<Assumptions, 'clientFlagBytes'>,
): number {
  return type === 'client' ? clientFlagBytes : flagBytes;
}

/** The average over all connections of something that depends on a flag's size as its SDK gets it. */
export function averageOverSdks(
  workload: Pick<Workload, 'sdks' | 'flagBytes'>,
  assumed: Pick<Assumptions, 'clientFlagBytes'>,
  of: (bytesEach: number, type: Workload['sdks'][number]['type']) => number,
): number {
  return workload.sdks.reduce(
    (sum, { share, type }) => sum + share * of(flagBytesFor(type, workload, assumed), type),
    0,
  );
}
