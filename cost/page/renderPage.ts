import { join } from 'node:path';
import type { AllRanges } from '../assumptions/rangesOf.ts';
import type { LeverName } from '../model/report/levers.ts';
import type { Workload } from '../model/workload/workload.ts';
import { inlinePage } from './inlinePage.ts';

/** Data of the cost page. */
export interface CostPageData {
  readonly ranges: AllRanges;
  readonly workload: Workload;
  readonly levers: readonly LeverName[];
}

/** The cost page is the console's cost view. Its sources are named by path, because the console imports the cost model. */
const source = (name: string) => join(import.meta.dirname, '../../console/page', name);

/** Renders the cost page with model, prices and charts. */
export function renderCostPage(data: CostPageData): string {
  return inlinePage({
    title: 'What real-time flags cost on AWS',
    script: source('browser/cost/standalone.tsx'),
    style: source('style/all.css'),
    data,
  });
}
