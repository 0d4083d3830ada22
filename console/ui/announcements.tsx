import { announcement, dismiss } from './announcement.ts';

/** What was last done, or went wrong: read by screen readers as it comes. */
export function Announcements() {
  const said = announcement.value;
  return (
    <div class="announcements" aria-live="polite" aria-atomic="true">
      {said && (
        <p class={said.isProblem ? 'notice bad' : 'notice good'}>
          <span>
            {said.text}
            {said.more}
          </span>
          <button type="button" class="quiet" aria-label="Dismiss" onClick={dismiss}>
            ✕
          </button>
        </p>
      )}
    </div>
  );
}
