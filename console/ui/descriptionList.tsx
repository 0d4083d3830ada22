import type { ComponentChildren } from 'preact';

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
