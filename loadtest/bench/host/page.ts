import type { Machine } from '../../../dev/support/machine.ts';
import type { Stamp } from '../../measure/stamp.ts';
import type { Document, Section } from '../../report/document.ts';
import { renderHtml } from '../../report/html.ts';
import { formatBound, isKept, type Result } from './result.ts';

/** All that a page tells: `bench-host.json`. */
export interface Report {
  /** Reports from before figures were stamped have none. */
  readonly stamp?: Stamp;
  readonly machine: Machine & { readonly node: string };
  readonly at: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly results: readonly Result[];
}

/** One self-contained page: it needs no network, and every chart stands beside its table. */
export function renderPage({ stamp, machine, at, parameters, results }: Report): string {
  const report: Document = {
    title: 'The host, measured',
    sections: results.map(sectionOf),
    facts: [
      ['machine', `${machine.cpu}, ${machine.cores} cores`],
      ['versions', `Node ${machine.node}, commit ${stamp?.commit ?? 'not noted'}`],
      ...(stamp ? [['command', stamp.command] as const] : []),
      ['ended', at],
      ['parameters', JSON.stringify(parameters)],
    ],
  };
  return renderHtml(report);
}

function sectionOf({ title, head, rows, bounds, invalid, notes, charts }: Result): Section {
  return {
    title,
    tables: [{ head, rows }],
    charts,
    verdicts: [
      ...bounds.map((bound) => ({ isGood: isKept(bound), text: formatBound(bound) })),
      ...invalid.map((why) => ({ isGood: false, text: `INVALID: ${why}` })),
    ],
    notes,
  };
}
