import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Campaign } from '../results/campaign.ts';
import { makeReport } from './campaignReport.ts';
import type { Document } from './document.ts';
import { renderHtml } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import { renderText } from './text.ts';

/**
 * Writes a report of campaigns: `report.html`, `report.md`, and `results.json` with every figure but the single seconds.
 *
 * @returns the report, the page's path, and the report for a terminal
 */
export function writeReport(
  directory: string,
  campaigns: readonly Campaign[],
): { report: Document; page: string; text: string } {
  mkdirSync(directory, { recursive: true });
  const report = makeReport(campaigns);
  const page = join(directory, 'report.html');
  writeFileSync(page, renderHtml(report));
  writeFileSync(join(directory, 'report.md'), renderMarkdown(report));
  const results = campaigns.map(({ runs, ...campaign }) => ({
    ...campaign,
    runs: runs.map(({ seconds: _, ...run }) => run),
  }));
  writeFileSync(join(directory, 'results.json'), `${JSON.stringify(results, null, 1)}\n`);
  return { report, page, text: renderText(report) };
}
