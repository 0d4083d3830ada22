import type { Machine } from '../../../infra/measure/machine.ts';
import type { Document, Section } from '../../report/document.ts';
import { renderHtml } from '../../report/html.ts';
import { formatBound, isKept, type Result } from './result.ts';

/** All that a page tells. */
interface Report {
  readonly machine: Machine & { readonly node: string };
  readonly at: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly results: readonly Result[];
}

/** One self-contained page: it needs no network, and every chart stands beside its table. */
export function renderPage({ machine, at, parameters, results }: Report): string {
  const report: Document = {
    title: 'The host, measured',
    sections: results.map(sectionOf),
    facts: [
      ['machine', `${machine.cpu}, ${machine.cores} cores`],
      ['versions', `Node ${machine.node}`],
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
