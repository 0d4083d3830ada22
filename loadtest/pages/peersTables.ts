import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { markdownTable } from '../../shared/command/markdownTable.ts';
import { FIGURES, type FigureName, formatFigure, isBetter } from '../bench/peers/figures.ts';
import type { Entry } from '../bench/peers/peer.ts';
import { PEERS } from '../bench/peers/peers.ts';
import { RESULTS, readResults } from './results.ts';

/** The figures that the page shows at once. */
const FIRST: readonly FigureName[] = [
  ...(['newClientsPerSecond', 'startMemoryMb', 'idleProcessorPercent', 'oneOf5PerSecond'] as const),
  ...(['allOf300PerSecond', 'allOf300P99Ms', 'peakMemoryMb'] as const),
];
/** Figures in which another server is better. The files have the others. */
const REST: readonly FigureName[] = ['oneOf5P99Ms', 'allOf5Bytes', 'oneOf300P99Ms', 'allOf300Bytes'];

/** The entries that have a file. FeatBit's server needs a build, and has a file of its own. */
const readEntries = () =>
  PEERS.filter(({ entry }) => existsSync(join(RESULTS, 'peers', `${entry}.json`))).map(({ entry }) =>
    readResults<Entry>(`peers/${entry}`),
  );

export const PEERS_TABLES = {
  peers: () => renderPeers(readEntries(), FIRST),
  'peers rest': () => renderPeers(readEntries(), REST),
};

/** A row for each figure. The best figure is bold, without that of the reference. */
export function renderPeers(
  entries: readonly Pick<Entry, 'name' | 'role' | 'figures'>[],
  names: readonly FigureName[],
): string {
  return markdownTable(
    ['figure', ...entries.map(({ name }) => name)],
    names.map((name) => {
      const found = entries.flatMap(({ role, figures }) => (role === 'reference' ? [] : (figures[name] ?? [])));
      const cells = entries.map(({ role, figures: { [name]: figure } }) => {
        const isBest = role !== 'reference' && figure && found.every((other) => !isBetter(name, other, figure));
        return isBest ? `**${formatFigure(figure)}**` : formatFigure(figure);
      });
      return [FIGURES[name].label, ...cells];
    }),
  );
}
