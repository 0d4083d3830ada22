import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Beside } from '../bench/beside/report.ts';
import type { Report } from '../bench/host/page.ts';
import type { Windows } from '../bench/window/result.ts';
import { formatStamp } from '../measure/stamp.ts';
import { publishedSchema } from '../report/schema.ts';
import { withSection } from '../results/pageSections.ts';
import { withPlace } from '../results/places.ts';
import type { Sections } from '../simulate/command/matrix.ts';
import { millionTable } from '../staged/page.ts';
import { featbitPage } from './featbitPage.ts';
import { featbitTable } from './featbitTable.ts';
import { balancedPage, hostPage } from './hostPage.ts';
import { type KeptCampaigns, loadPage } from './loadPage.ts';
import { WINDOW_HEADING, windowSection, windowTable } from './windowPage.ts';

/** Kept figures and pages by their path from the project's root. */
export interface Kept {
  text(path: string): string;
  /** @throws Error for figures that are not there, with how they are made */
  figures<T>(path: string, measurement: string): T;
}

const beside = (kept: Kept) => kept.figures<Beside>('docs/results/featbit/beside.json', 'beside');
const host = (kept: Kept, name: string, measurement = name) =>
  kept.figures<Report>(`docs/results/host/${name}.json`, measurement);

const simulated = (kept: Kept) =>
  kept.figures<{ sections: Sections }>('docs/results/simulation.json', 'simulation').sections;
const windows = (kept: Kept) => kept.figures<Windows>('docs/results/serverless/window.json', 'window');

/** Every page that is made of kept figures, by its path from the project's root. */
export const PAGES: Readonly<Record<string, (kept: Kept) => string>> = {
  'docs/results/featbit.md': (kept) => featbitPage(beside(kept)),
  'docs/results/host.md': (kept) =>
    hostPage(host(kept, 'bench-host', 'host'), host(kept, 'soak'), host(kept, 'before', 'host')),
  'docs/results/balanced.md': (kept) => balancedPage(host(kept, 'balanced')),
  'docs/results/load.md': (kept) => loadPage(kept.figures<KeptCampaigns>('docs/results/load/results.json', 'load')),
  'docs/results/million.md': (kept) =>
    withPlace(kept.text('docs/results/million.md'), 'simulation', millionTable(simulated(kept))),
  'docs/results/schema.json': () => publishedSchema(),
  'README.md': (kept) => {
    const table = `${featbitTable(beside(kept))}\n\nToday: ${formatStamp(beside(kept).stamp)}`;
    const limits = `${windowTable(windows(kept))}\n\n${formatStamp(windows(kept).stamp)}`;
    return withPlace(withPlace(kept.text('README.md'), 'beside', table), 'window', limits);
  },
  'docs/results/serverless.md': (kept) =>
    withSection(kept.text('docs/results/serverless.md'), WINDOW_HEADING, windowSection(windows(kept))),
};

/** Kept figures and pages of a project. @param root its folder */
export function readFrom(root: string): Kept {
  const text = (path: string) => readFileSync(join(root, path), 'utf8');
  return {
    text,
    figures: (path, measurement) => {
      if (!existsSync(join(root, path)))
        throw new Error(`there is no ${path}: npm run results -- --only ${measurement} measures it`);
      return JSON.parse(text(path));
    },
  };
}
