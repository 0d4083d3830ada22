/** A problem, which screen readers read at once. Nothing without a text. */
export function Alert({ text }: { readonly text: string | undefined }) {
  if (!text) return null;
  return (
    <p class="notice bad" role="alert">
      {text}
    </p>
  );
}
