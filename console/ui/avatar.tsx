import { initials } from './initials.ts';

/** The initials of an author, who is named next to it. @param by the shown name */
export function Avatar({ by }: { readonly by: string }) {
  return (
    <span class="avatar" aria-hidden="true">
      {initials(by)}
    </span>
  );
}
