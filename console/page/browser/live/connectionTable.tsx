import { LISTED_CONNECTIONS, type OpenConnection } from '../../../live.ts';
import { DataTable } from '../../../ui/dataTable.tsx';
import { Time } from '../../../ui/time.tsx';
import { sdkName } from '../../logic/liveEventText.ts';
import { Section } from '../documents/section.tsx';

interface ConnectionTableProps {
  readonly connections: readonly OpenConnection[];
  /** Number of open connections. */
  readonly total: number;
}

/** Open connections, with SDK, user and times. */
export function ConnectionTable({ connections, total }: ConnectionTableProps) {
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
