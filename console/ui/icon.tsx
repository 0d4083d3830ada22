import { h } from 'preact';

/** An icon of Lucide, next to a text that says the same. */
export function Icon({ of }: { readonly of: IconNode }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      {of.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  );
}
