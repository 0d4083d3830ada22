import { render } from 'preact';
import { pageData } from '../../../console/ui/pageData.ts';
import type { ReportPageData } from '../write.ts';
import { LiveReport } from './liveReport.tsx';
import { Report } from './report.tsx';

const { data, place } = pageData<ReportPageData>();
render(data.isLive ? <LiveReport first={data.report} /> : <Report report={data.report} />, place);
