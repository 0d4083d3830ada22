import { LISTED_CONNECTIONS, RECENT_EVENTS } from '../../../live.ts';
import { Heading, Section } from '../../../ui/blocks.tsx';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/dataTable.tsx';
import { Time } from '../../../ui/time.tsx';
import { formatTime } from '../../../ui/zoned.ts';
import { eventSign, formatEvent, sdkName } from '../../logic/liveEventText.ts';
import { isPaused, liveEntries, liveState, missedWhilePaused, openConnections, togglePause } from '../state/live.ts';
import { Connections } from './connections.tsx';

export function LivePage() {
  const state = liveState.value;
  return (
    <>
      <Heading title="Live" lead="Connected SDKs and their traffic.">
        <Button
          text={isPaused.value ? `Resume (${missedWhilePaused.value} missed)` : 'Pause'}
          aria-pressed={isPaused.value}
          onClick={togglePause}
        />
      </Heading>
      {state ? <Connections state={state} /> : <p class="hint">Loading …</p>}
      <ConnectionTable total={state?.connections.total ?? 0} />
      <Section title="Events" about={`The last ${RECENT_EVENTS}, newest first.`}>
        {liveEntries.value.length === 0 && (
          <p class="hint">
            {state?.source === 'table'
              ? 'On AWS, single messages cannot be observed. The totals above come from metrics.'
              : 'No events yet. Connect an SDK or switch a flag: each connection, sync and push is shown here.'}
          </p>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
        <div class="scroll-box" tabIndex={0} role="group" aria-label="Events">
          <ul class="events">
            {liveEntries.value.map((entry) => (
              <li key={entry.id} class={`event ${entry.type}`}>
                <span class="sign" aria-hidden="true">
                  {eventSign(entry)}
                </span>
                <span>{formatEvent(entry)}</span>
                {'at' in entry && <time>{formatTime(entry.at)}</time>}
              </li>
            ))}
          </ul>
        </div>
      </Section>
    </>
  );
}

/** Open connections, with SDK, user and times. @param total number of open connections */
function ConnectionTable({ total }: { readonly total: number }) {
  const connections = openConnections.value ?? [];
  if (connections.length === 0) return null;
  const about =
    total > connections.length ? `The newest ${LISTED_CONNECTIONS} of ${total.toLocaleString('en')}.` : undefined;
  return (
    <Section title="Open connections" about={about}>
      <div class="connection-table">
        <DataTable
          head={['SDK', 'User', 'Connected', 'Last data-sync']}
          rows={connections.map((each) => [
            sdkName(each),
            each.user ? <code>{each.user}</code> : '–',
            <Time at={each.since} />,
            each.syncedAt === undefined ? 'none yet' : <Time at={each.syncedAt} />,
          ])}
        />
      </div>
    </Section>
  );
}
