import { announcement, dismiss } from './announcement.ts';

/** The last result or problem, which screen readers read. */
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
