import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

interface HeadingProps {
  /** Title of the tab and heading of the view. */
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly children?: ComponentChildren;
}

let isFirst = true;

/** The heading of a view, with its actions. It gets the focus on navigation, but not on the first view. */
export function Heading({ title, lead, children }: HeadingProps) {
  const element = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Flagwire`;
  }, [title]);
  // Before the first paint: later, it could take the focus from a field in which the user types.
  useLayoutEffect(() => {
    if (!isFirst) element.current?.focus({ preventScroll: true });
    isFirst = false;
  }, []);
  return (
    <header class="view-head">
      <div>
        <h1 ref={element} tabIndex={-1}>
          {title}
        </h1>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children && <div class="actions">{children}</div>}
    </header>
  );
}
