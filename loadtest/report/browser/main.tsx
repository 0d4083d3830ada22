import { render } from 'preact';
import { pageData } from '../../../console/ui/pageData.ts';
import type { ReportPageData } from '../write.ts';
import { Report } from './report.tsx';

const { data, place } = pageData<ReportPageData>();
const { report, reloadS } = data;
render(<Report report={report} />, place);
// Not while somebody uses the keyboard in a table.
if (reloadS !== undefined)
  setInterval(() => document.activeElement === document.body && location.reload(), reloadS * 1_000);
