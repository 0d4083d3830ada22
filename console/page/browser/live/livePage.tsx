import { Heading } from '../../../ui/heading.tsx';
import { Section } from '../documents/section.tsx';
import { EVENTS_KEPT, isPaused, liveEntries, liveState, missedWhilePaused, resume } from '../state/live.ts';
import { Connections } from './connections.tsx';
import { EventLine } from './eventLine.tsx';

/** Who is connected, and what passes, as it happens. */
export function LivePage() {
  const state = liveState.value;
  return (
    <>
      <Heading title="Live" lead="SDKs that are connected to this environment, and what passes.">
        <button
          type="button"
          aria-pressed={isPaused.value}
          onClick={() => {
            if (isPaused.value) resume();
            else isPaused.value = true;
          }}
        >
          {isPaused.value ? `Go on (${missedWhilePaused.value} missed)` : 'Pause'}
        </button>
      </Heading>
      {state ? <Connections state={state} /> : <p class="hint">Waiting for the first look …</p>}
      <Section title="What happens" about={`The last ${EVENTS_KEPT} at most, newest first.`}>
        {liveEntries.value.length === 0 && (
          <p class="hint">
            {state?.source === 'table'
              ? 'On AWS single messages cannot be observed. The totals above come from metrics.'
              : 'Nothing yet. Connect an SDK, or flip a flag: each connection, sync and push is a line here.'}
          </p>
        )}
        <ul class="events" aria-label="What happens">
          {liveEntries.value.map((entry) => (
            <EventLine key={entry.id} entry={entry} />
          ))}
        </ul>
      </Section>
    </>
  );
}
