import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';

interface HeadingProps {
  /** Title of the tab and heading of the view. */
  readonly title: string;
  readonly lead?: ComponentChildren;
  /** Next to the title. */
  readonly badges?: ComponentChildren;
  readonly children?: ComponentChildren;
}

let isFirst = true;

/** The heading of a view, with its actions. It gets the focus on navigation, but not on the first view. */
export function Heading({ title, lead, badges, children }: HeadingProps) {
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
        <div class="title">
          <h1 ref={element} tabIndex={-1}>
            {title}
          </h1>
          {badges}
        </div>
        {lead && <p class="lead">{lead}</p>}
      </div>
      {children && <div class="actions">{children}</div>}
    </header>
  );
}

/** A placeholder for an empty view, with the next step. */
export function EmptyState({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}

/** Grey lines in place of what is loading. */
export function Skeleton({ lines }: { readonly lines: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">Loading …</span>
      {Array.from({ length: lines }, (_, n) => (
        <span key={n} />
      ))}
    </div>
  );
}

interface BadgeProps {
  readonly kind?: 'plain' | 'warning';
  readonly title?: string;
  readonly children: ComponentChildren;
}

export function Badge({ kind = 'plain', title, children }: BadgeProps) {
  return (
    <span class={`badge ${kind}`} title={title}>
      {children}
    </span>
  );
}

/** A problem, which screen readers read at once. Nothing without a text. */
export function Alert({ text }: { readonly text: string | undefined }) {
  if (!text) return null;
  return (
    <p class="notice bad" role="alert">
      {text}
    </p>
  );
}

interface DescriptionListProps {
  readonly class?: string;
  readonly items: readonly (readonly [term: ComponentChildren, description: ComponentChildren])[];
}

/** Terms, each with its description. */
export function DescriptionList({ class: name, items }: DescriptionListProps) {
  return (
    <dl class={name}>
      {items.map(([term, description], index) => (
        <div key={index}>
          <dt>{term}</dt>
          <dd>{description}</dd>
        </div>
      ))}
    </dl>
  );
}

interface SectionProps {
  readonly title: string;
  readonly about?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A part of a view, in a box of its own. */
export function Section({ title, about, actions, children }: SectionProps) {
  return (
    <section class="card" aria-label={title}>
      <header class="card-head">
        <h2>{title}</h2>
        {actions}
      </header>
      {about && <p class="hint">{about}</p>}
      {children}
    </section>
  );
}
