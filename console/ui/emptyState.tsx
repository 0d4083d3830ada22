import type { ComponentChildren } from 'preact';

/** A placeholder for an empty view, with the next step. */
export function EmptyState({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
