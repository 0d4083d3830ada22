import type { ComponentChildren } from 'preact';

interface BadgeProps {
  readonly kind?: 'plain' | 'warning';
  readonly children: ComponentChildren;
}

export function Badge({ kind = 'plain', children }: BadgeProps) {
  return <span class={`badge ${kind}`}>{children}</span>;
}
