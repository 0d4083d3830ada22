import { formatStamp, type Stamp } from '../../measure/stamp.ts';
import type { Document, Section } from '../../report/document.ts';
import { comparePhase, LEAST_ROUNDS, leftOut, phasesOf, type Visit } from './rounds.ts';

/** All that a run of the command found: what it writes as JSON. */
export interface Beside {
  readonly stamp: Stamp;
  /** What the two servers are called. */
  readonly names: { readonly other: string; readonly ours: string };
  readonly parameters: Readonly<Record<string, unknown>>;
  /** What a reader must know to read the figures right. */
  readonly notes: readonly string[];
  readonly visits: readonly Visit[];
}

/** A table a phase: both servers, and ours as a multiple of the other. */
export function besideReport({ stamp, names, parameters, notes, visits }: Beside): Document {
  const rounds = new Set(visits.map(({ round }) => round)).size;
  const sections = phasesOf(visits).map((phase): Section => {
    const rows = comparePhase(visits, phase).map(({ name, other, ours, ratio }) => [name, other, ours, ratio]);
    const table = { head: ['', names.other, names.ours, 'ours to the other'], rows };
    return { title: phase, tables: [table], charts: [], verdicts: [], notes: [] };
  });
  const rules: Section = {
    title: 'How to read it',
    tables: [],
    charts: [],
    verdicts: leftOut(visits).map((why) => ({ isGood: false, text: `left out: ${why}` })),
    notes: [
      `Medians of ${rounds} ${rounds === 1 ? 'round' : 'rounds'}, with the least and the most; the servers were visited in turn. “Better” and “worse” stand where each has ${LEAST_ROUNDS} rounds or more, no round of one reaches into the range of the other, and the medians differ by half a percent or more.`,
      'A handshake is from beginning to connect until the connection is open, a sync from asking for flags until they are there. “At least”: the generator had no time left, or the server some, and it may do more.',
      ...notes,
    ],
  };
  return {
    title: `${names.ours} beside ${names.other}`,
    facts: [
      ['measured', formatStamp(stamp).replaceAll('`', '')],
      ['parameters', JSON.stringify(parameters)],
    ],
    sections: [...sections, rules],
  };
}
