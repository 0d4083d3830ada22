/** Views and their labels, in the order of the navigation. */
export const VIEWS = {
  overview: 'Overview',
  flags: 'Flags',
  segments: 'Segments',
  compare: 'Compare',
  evaluate: 'Evaluate',
  history: 'History',
  live: 'Live',
  keys: 'Keys',
  cost: 'Cost',
  settings: 'Settings',
} as const;

export type View = keyof typeof VIEWS;

export const FIRST_VIEW: View = 'overview';

/** Query of a comparison that copies to the current environment. */
export const REVERSED = 'reversed';

/** Tabs of a flag and their labels. The query of the address is the name of a tab. */
export const FLAG_TABS = {
  targeting: 'Targeting',
  variations: 'Variations',
  usage: 'Usage',
  history: 'History',
  settings: 'Settings',
} as const;

export type FlagTab = keyof typeof FLAG_TABS;

/** The tab of a flag that a query names. Default: the first. */
export function parseFlagTab(query: string | undefined): FlagTab {
  return (Object.keys(FLAG_TABS) as FlagTab[]).find((tab) => tab === query) ?? 'targeting';
}

/** The current route. */
export interface Route {
  /** Undefined before an environment is chosen. */
  readonly envId?: string | undefined;
  readonly view: View;
  /** A flag's key or a segment's id. */
  readonly id?: string | undefined;
  /** Query of the view: of `formatFlagSearch`, a {@link FlagTab}, {@link REVERSED}, or the controls of the cost view. */
  readonly query?: string | undefined;
}

/** The same view in another environment. A comparison starts anew, because its id is an environment. */
export function inEnvironment(route: Route, envId: string): Route {
  return route.view === 'compare' ? { envId, view: 'compare' } : { ...route, envId };
}

/** Parses the fragment of an address. Invalid fragments lead to the first view. */
export function parseRoute(fragment: string): Route {
  const [path = '', query] = fragment.replace(/^#?\/?/, '').split('?');
  const [envId, view, id] = path.split('/').map(decoded);
  const known = (Object.keys(VIEWS) as View[]).find((each) => each === view);
  return {
    envId: envId || undefined,
    view: known ?? FIRST_VIEW,
    ...(known && id ? { id } : {}),
    ...(known && query ? { query } : {}),
  };
}

/** Formats a fragment for {@link parseRoute}. */
export function formatRoute({ envId, view, id, query }: Route): string {
  if (!envId) return '#/';
  const path = [envId, view, ...(id === undefined ? [] : [id])].map(encodeURIComponent).join('/');
  return `#/${path}${query ? `?${query}` : ''}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
