import { render } from 'preact';
import type { CostPageData } from '../../../cost/page/renderPage.ts';
import { pageData } from '../../ui/pageData.ts';
import { CostPage } from './costPage.tsx';

const { data, place } = pageData<CostPageData>();
render(<CostPage {...data} />, place);
