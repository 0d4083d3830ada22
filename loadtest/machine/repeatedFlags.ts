import type { Document } from '../../shared/flags/document.ts';
import { referenceDocuments } from '../../shared/reference-data/documents.ts';

/** FeatBit's five benchmark flags, repeated under different keys, and its two segments. */
export function repeatedFlags(count: number): Document[] {
  const all = referenceDocuments();
  const flags = all.flatMap((each) => (each.kind === 'flag' ? [each.document] : []));
  return [
    ...all.filter(({ kind }) => kind === 'segment'),
    ...Array.from({ length: count }, (_, n): Document => {
      const flag = flags[n % flags.length] as (typeof flags)[number];
      return { kind: 'flag', document: { ...flag, key: `${flag.key}-${n}` } };
    }),
  ];
}
