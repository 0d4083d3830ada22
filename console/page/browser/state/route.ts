import { computed, effect, signal } from '@preact/signals';
import { formatRoute, parseRoute, type Route } from '../../logic/route.ts';

const fragment = signal(location.hash);
addEventListener('hashchange', () => {
  fragment.value = location.hash;
});

/** The current route. */
export const route = computed(() => parseRoute(fragment.value));

/** The last search of the list of flags. */
let lastSearch: { readonly envId: string | undefined; readonly query: string | undefined } | undefined;
effect(() => {
  const { envId, view, id, query } = route.value;
  if (view === 'flags' && id === undefined) lastSearch = { envId, query };
});

/** Navigates to a route. */
export function go(to: Route): void {
  location.hash = formatRoute(to);
}

/** Navigates to another view of the current environment. */
export function goTo(view: Route['view'], id?: string): void {
  location.hash = linkTo(view, id);
}

/** Address of another view of the current environment. */
export function linkTo(view: Route['view'], id?: string, query?: string): string {
  return formatRoute({ envId: route.value.envId, view, id, query });
}

/** Address of the list of flags with its last search. */
export function linkToSearch(): string {
  const { envId } = route.value;
  return formatRoute({ envId, view: 'flags', query: lastSearch?.envId === envId ? lastSearch?.query : undefined });
}

/** Replaces the current address, without an entry in the browser's history. */
export function redirect(to: Route): void {
  history.replaceState(null, '', formatRoute(to));
  fragment.value = location.hash;
}

/** Key of the last shown flag. */
export const lastFlagKey = signal<string | undefined>(undefined);
effect(() => {
  const { view, id } = route.value;
  if ((view === 'flags' || view === 'evaluate') && id !== undefined) lastFlagKey.value = id;
});
