import { computed, signal } from '@preact/signals';
import { formatRoute, parseRoute, type Route } from '../../logic/route.ts';

const fragment = signal(location.hash);
addEventListener('hashchange', () => {
  fragment.value = location.hash;
});

/** Where somebody is on the page. */
export const route = computed(() => parseRoute(fragment.value));

/** Goes elsewhere on the page. */
export function go(to: Route): void {
  location.hash = formatRoute(to);
}

/** The same environment, elsewhere: for links. */
export function linkTo(view: Route['view'], id?: string): string {
  return formatRoute({ envId: route.value.envId, view, id });
}

/** Comes to an address in place of the present one, so that going back does not end there. */
export function redirect(to: Route): void {
  history.replaceState(null, '', formatRoute(to));
  fragment.value = location.hash;
}
