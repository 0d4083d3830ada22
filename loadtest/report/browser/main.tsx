import { render } from 'preact';
import { pageData } from '../../../console/ui/pageData.ts';
import type { ReportPageData } from '../write.ts';
import { LiveReport } from './liveReport.tsx';
import { Report } from './report.tsx';

const { data, place } = pageData<ReportPageData>();
const { report, pollMs } = data;
render(pollMs === undefined ? <Report report={report} /> : <LiveReport first={report} everyMs={pollMs} />, place);
