import { parseFlagTab, REVERSED, type Route } from '../../logic/route.ts';
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
import { SettingsPage } from '../settings/settingsPage.tsx';

export function View({ view, id, query }: Route) {
  switch (view) {
    case 'overview':
      return <OverviewPage />;
    case 'flags':
      return id === undefined ? <FlagList /> : <FlagPage key={id} flagKey={id} tab={parseFlagTab(query)} />;
    case 'segments':
      return id === undefined ? <SegmentList /> : <SegmentPage key={id} id={id} />;
    case 'compare':
      return <ComparePage otherId={id} isReversed={query === REVERSED} />;
    case 'evaluate':
      return <EvaluatePage flagKey={id} />;
    case 'history':
      return <HistoryPage />;
    case 'live':
      return <LivePage />;
    case 'keys':
      return <KeysPage />;
    case 'cost':
      return <CostPage />;
    case 'settings':
      return <SettingsPage />;
  }
}
