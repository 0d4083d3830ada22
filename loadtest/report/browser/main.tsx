import { render } from 'preact';
import { pageData } from '../../../console/ui/pageData.ts';
import type { Document } from '../document.ts';
import { Report } from './report.tsx';

const { data, place } = pageData<Document>();
render(<Report report={data} />, place);
