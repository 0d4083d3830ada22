import type { EnvironmentName } from '../../../api.ts';
import { REVERSED, type Route } from '../../logic/route.ts';
import { ComparePage } from '../compare/comparePage.tsx';
import { CostPage } from '../cost/costPage.tsx';
import { EvaluatePage } from '../evaluate/evaluatePage.tsx';
import { FlagList } from '../flags/flagList.tsx';
import { FlagPage } from '../flags/flagPage.tsx';
import { HistoryPage } from '../history/historyPage.tsx';
import { KeysPage } from '../keys/keysPage.tsx';
import { LivePage } from '../live/livePage.tsx';
import { OverviewPage } from '../overview/overviewPage.tsx';
import { SegmentList } from '../segments/segmentList.tsx';
import { SegmentPage } from '../segments/segmentPage.tsx';

interface ViewProps {
  readonly environment: EnvironmentName;
  readonly at: Route;
}

export function View({ environment, at: { view, id, query } }: ViewProps) {
  switch (view) {
    case 'overview':
      return <OverviewPage environment={environment} />;
    case 'flags':
      return id === undefined ? (
        <FlagList environment={environment} />
      ) : (
        <FlagPage key={id} environment={environment} flagKey={id} />
      );
    case 'segments':
      return id === undefined ? (
        <SegmentList environment={environment} />
      ) : (
        <SegmentPage key={id} environment={environment} id={id} />
      );
    case 'compare':
      return <ComparePage environment={environment} otherId={id} isReversed={query === REVERSED} />;
    case 'evaluate':
      return <EvaluatePage flagKey={id} />;
    case 'history':
      return <HistoryPage environment={environment} />;
    case 'live':
      return <LivePage />;
    case 'keys':
      return <KeysPage environment={environment} />;
    case 'cost':
      return <CostPage />;
  }
}
