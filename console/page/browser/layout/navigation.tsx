import { VIEWS, type View } from '../../logic/route.ts';
import { linkTo, route } from '../state/route.ts';

/** The views of an environment. */
export function Navigation() {
  return (
    <nav aria-label="Views">
      <ul>
        {(Object.keys(VIEWS) as View[]).map((view) => (
          <li key={view}>
            <a href={linkTo(view)} aria-current={route.value.view === view ? 'page' : undefined}>
              {VIEWS[view]}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
