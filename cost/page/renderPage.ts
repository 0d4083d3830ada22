import { join } from 'node:path';
import type { Range } from '../assumptions/rangesOf.ts';
import type { LeverName } from '../model/report/levers.ts';
import type { Assumptions } from '../model/workload/assumptions.ts';
import type { Workload } from '../model/workload/workload.ts';
import { inlinePage } from './inlinePage.ts';

/** What the cost page begins with. */
export interface CostPageData {
  readonly ranges: Readonly<Record<keyof Assumptions, Range>>;
  readonly workload: Workload;
  readonly levers: readonly LeverName[];
}

/** The page is made of the console's components. It is named by file, since the console imports the cost model. */
const source = (name: string) => join(import.meta.dirname, '../../console/costPage/browser', name);

/** The cost page, with model, prices and charts in it. */
export function renderCostPage(data: CostPageData): string {
  return inlinePage({
    title: 'What real-time flags cost on AWS',
    script: source('main.tsx'),
    style: source('style.css'),
    data,
  });
}
