/** The views of the page, in the order of its navigation, with what they are called there. */
export const VIEWS = {
  flags: 'Flags',
  segments: 'Segments',
  compare: 'Compare',
  why: 'Why',
  history: 'History',
  live: 'Live',
  keys: 'Keys',
  cost: 'Cost',
} as const;

/** One of {@link VIEWS}. */
export type View = keyof typeof VIEWS;

/** Where somebody is on the page. */
export interface Route {
  /** Of an environment; undefined before one is chosen. */
  readonly envId?: string | undefined;
  readonly view: View;
  /** A flag's key or a segment's id. */
  readonly id?: string | undefined;
}

/** Reads a route from an address's fragment; what cannot be read leads to the flags. */
export function parseRoute(fragment: string): Route {
  const [envId, view, id] = fragment
    .replace(/^#?\/?/, '')
    .split('/')
    .map(decoded);
  const known = (Object.keys(VIEWS) as View[]).find((each) => each === view);
  return { envId: envId || undefined, view: known ?? 'flags', ...(known && id ? { id } : {}) };
}

/** The fragment that {@link parseRoute} reads. */
export function formatRoute({ envId, view, id }: Route): string {
  if (!envId) return '#/';
  return `#/${[envId, view, ...(id === undefined ? [] : [id])].map(encodeURIComponent).join('/')}`;
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return '';
  }
}
