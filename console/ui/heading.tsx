import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

interface HeadingProps {
  /** What the tab is called, and what is read when somebody comes here. */
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly children?: ComponentChildren;
}

let isFirst = true;

/** The heading of a view, with what can be done there. It gets the focus when somebody comes to the view, but not when the page begins. */
export function Heading({ title, lead, children }: HeadingProps) {
  const element = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Flagwire`;
  }, [title]);
  // Before the heading is seen: later, it would take the focus from a field in which the user is already typing.
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
