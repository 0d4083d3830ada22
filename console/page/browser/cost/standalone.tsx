import { render } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import type { CostPageData } from '../../../../cost/page/renderPage.ts';
import { Heading } from '../../../ui/blocks.tsx';
import { controlsOf } from '../../logic/controls.ts';
import { CostView } from './costView.tsx';

/** The page of `npm run cost -- --html`. Its address has the query as the fragment. */
function StandalonePage({ ranges, workload }: CostPageData) {
  const defaults = useMemo(() => controlsOf(workload), []);
  const [query, setQuery] = useState(location.hash.slice(1));
  useEffect(() => addEventListener('hashchange', () => setQuery(location.hash.slice(1))), []);
  const onQuery = (changed: string) => {
    history.replaceState(null, '', `#${changed}`);
    setQuery(changed);
  };
  return (
    <>
      <Heading
        title="What real-time flags cost on AWS"
        lead="Four ways to run the same service. Start from a typical load, or set your own below."
      />
      <CostView ranges={ranges} defaults={defaults} query={query} onQuery={onQuery} />
    </>
  );
}

const place = document.getElementById('page');
const text = document.getElementById('data')?.textContent;
if (!place || !text) throw new Error('the page has no #page or no #data');
place.replaceChildren();
render(<StandalonePage {...(JSON.parse(text) as CostPageData)} />, place);
