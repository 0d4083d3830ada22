import { computed, effect, signal } from '@preact/signals';
import { formatRoute, parseRoute, type Route } from '../../logic/route.ts';

const fragment = signal(location.hash);
addEventListener('hashchange', () => {
  fragment.value = location.hash;
});

/** Where somebody is on the page. */
export const route = computed(() => parseRoute(fragment.value));

/** The search of the list of flags that was shown last. */
let lastSearch: { readonly envId: string | undefined; readonly query: string | undefined } | undefined;
effect(() => {
  const { envId, view, id, query } = route.value;
  if (view === 'flags' && id === undefined) lastSearch = { envId, query };
});

/** Goes elsewhere on the page. */
export function go(to: Route): void {
  location.hash = formatRoute(to);
}

/** The same environment, elsewhere: for links. */
export function linkTo(view: Route['view'], id?: string): string {
  return formatRoute({ envId: route.value.envId, view, id });
}

/** The list of flags as it was searched last. */
export function linkToSearch(): string {
  const { envId } = route.value;
  return formatRoute({ envId, view: 'flags', query: lastSearch?.envId === envId ? lastSearch?.query : undefined });
}

/** Comes to an address in place of the present one, so that going back does not end there. */
export function redirect(to: Route): void {
  history.replaceState(null, '', formatRoute(to));
  fragment.value = location.hash;
}
