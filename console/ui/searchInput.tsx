import type { Ref } from 'preact';

interface SearchInputProps {
  readonly label: string;
  readonly placeholder: string;
  readonly value: string;
  readonly onInput: (words: string) => void;
  readonly ref?: Ref<HTMLInputElement>;
  readonly 'aria-keyshortcuts'?: string;
}

/** A search field without a visible label. */
export function SearchInput({ label, onInput, ...attributes }: SearchInputProps) {
  return (
    <input
      {...attributes}
      type="search"
      aria-label={label}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
    />
  );
}
