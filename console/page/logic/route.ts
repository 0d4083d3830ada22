/** The views of the page, in the order of its navigation, with what they are called there. */
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
} as const;

/** One of {@link VIEWS}. */
export type View = keyof typeof VIEWS;

/** The view that opens first. */
export const FIRST_VIEW: View = 'overview';

/** The query of a comparison that copies to the environment that is looked at. */
export const REVERSED = 'reversed';

/** Where somebody is on the page. */
export interface Route {
  /** Of an environment; undefined before one is chosen. */
  readonly envId?: string | undefined;
  readonly view: View;
  /** A flag's key or a segment's id. */
  readonly id?: string | undefined;
  /** What a list is searched for, as `formatFlagSearch` writes it, absent where it shows all; {@link REVERSED}. */
  readonly query?: string | undefined;
}

/** Reads a route from an address's fragment; what cannot be read leads to the first view. */
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

/** The fragment that {@link parseRoute} reads. */
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
