import { useLayoutEffect, useRef } from 'preact/hooks';
import { VIEWS, type View } from '../../logic/route.ts';
import { linkTo, route } from '../state/route.ts';

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
        {(Object.keys(VIEWS) as View[]).map((view) => (
          <li key={view}>
            <a href={linkTo(view)} aria-current={shown === view ? 'page' : undefined}>
              {VIEWS[view]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
