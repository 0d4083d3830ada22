import { join } from 'node:path';
import { inlinePage } from '../../cost/page/inlinePage.ts';
import type { Document } from './document.ts';

/** What a report's page is written with. */
export interface ReportPageData {
  readonly report: Document;
  /** Whether it follows a campaign: it takes newer reports from where it came from. */
  readonly isLive: boolean;
}

/** A report as one page that needs no network: script, style and figures are in it. */
export function renderHtml(report: Document, { isLive = false } = {}): string {
  const source = (name: string) => join(import.meta.dirname, 'browser', name);
  const data: ReportPageData = { report, isLive };
  return inlinePage({ title: report.title, script: source('main.tsx'), style: source('style.css'), data });
}
