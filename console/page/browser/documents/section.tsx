import type { ComponentChildren } from 'preact';

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
