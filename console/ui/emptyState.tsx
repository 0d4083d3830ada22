import type { ComponentChildren } from 'preact';

/** Where there is nothing yet: what would be here, and what to do. */
export function EmptyState({ title, children }: { readonly title: string; readonly children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  );
}
