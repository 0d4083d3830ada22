import type { JSX } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Icon } from '../../../ui/icon.tsx';
import {
  Activity,
  ArrowLeftRight,
  CircleDollarSign,
  FlaskConical,
  History,
  KeyRound,
  LayoutDashboard,
  Settings,
  ToggleRight,
  Users,
} from '../../../ui/icons.ts';
import { parseFlagTab, REVERSED, type Route, VIEWS } from '../../logic/route.ts';
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
import { linkTo, route } from '../state/route.ts';

const PAGES: Readonly<Record<Route['view'], (route: Route) => JSX.Element>> = {
  overview: ({ envId }) => <OverviewPage key={envId} />,
  flags: ({ id, query }) =>
    id === undefined ? <FlagList /> : <FlagPage key={id} flagKey={id} tab={parseFlagTab(query)} />,
  segments: ({ id }) => (id === undefined ? <SegmentList /> : <SegmentPage key={id} id={id} />),
  compare: ({ id, query }) => <ComparePage otherId={id} isReversed={query === REVERSED} />,
  evaluate: ({ id }) => <EvaluatePage flagKey={id} />,
  history: () => <HistoryPage />,
  live: () => <LivePage />,
  keys: () => <KeysPage />,
  cost: () => <CostPage />,
  settings: () => <SettingsPage />,
};

const ICONS: Readonly<Record<Route['view'], IconNode>> = {
  overview: LayoutDashboard,
  flags: ToggleRight,
  segments: Users,
  compare: ArrowLeftRight,
  evaluate: FlaskConical,
  history: History,
  live: Activity,
  keys: KeyRound,
  cost: CircleDollarSign,
  settings: Settings,
};

export function View(route: Route) {
  return PAGES[route.view](route);
}

/** The views of an environment. */
export function Navigation() {
  const list = useRef<HTMLUListElement>(null);
  const shown = route.value.view;
  useLayoutEffect(() => {
    // On a phone, the views are a row that scrolls.
    const current = list.current?.querySelector<HTMLElement>('[aria-current]');
    if (current && list.current)
      list.current.scrollLeft = current.offsetLeft - (list.current.clientWidth - current.offsetWidth) / 2;
  }, [shown]);
  return (
    <nav class="views" aria-label="Views">
      <ul ref={list}>
        {(Object.keys(VIEWS) as Route['view'][]).map((view) => (
          <li key={view}>
            <a href={linkTo(view)} aria-current={shown === view ? 'page' : undefined}>
              <Icon of={ICONS[view]} />
              {VIEWS[view]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
