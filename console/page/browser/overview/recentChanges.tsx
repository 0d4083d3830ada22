import { counted } from '../../../../shared/describe/servedText.ts';
import type { HistoryChange } from '../../../history.ts';
import { Avatar } from '../../../ui/avatar.tsx';
import { Alert, Badge, Section, Skeleton } from '../../../ui/blocks.tsx';
import { Time } from '../../../ui/time.tsx';
import { withoutAction } from '../../logic/actions.ts';
import { request } from '../api/request.ts';
import { usePolled } from '../api/usePolled.ts';
import { useReceipt } from '../documents/changeNews.tsx';
import { plainly } from '../documents/plainly.tsx';
import { nameOf, UndoButton } from '../history/changeCard.tsx';
import { content } from '../state/content.ts';
import { liveState } from '../state/live.ts';
import { linkTo } from '../state/route.ts';
import { plain, useEnvironment } from '../state/session.ts';

const SHOWN = 5;
/** Number of connections up to which the receipt of each change is read. With more, only that of the newest. */
const FEW_CONNECTIONS = 1_000;

/** The last changes, each with its receipt and a button to undo it. */
export function RecentChanges() {
  const { id: env } = useEnvironment();
  const asked = usePolled(
    () => request('GET environments/:env/history', { env, query: {} }),
    [env, content.value?.version],
  );
  const changes = asked?.changes?.slice(0, SHOWN);
  const areFew = (liveState.value?.connections.total ?? Number.POSITIVE_INFINITY) <= FEW_CONNECTIONS;
  return (
    <Section title="Recent changes" actions={<a href={linkTo('history')}>History</a>}>
      {!asked && <Skeleton lines={2 * SHOWN} />}
      {asked?.failure && <Alert text={`The history was not read: ${asked.failure}`} />}
      {changes?.length === 0 && <p class="hint">No changes yet.</p>}
      <ol class="history">
        {changes?.map((change, position) => (
          <RecentChange key={change.version} change={change} isNewest={position === 0} hasReceipt={areFew} />
        ))}
      </ol>
    </Section>
  );
}

interface RecentChangeProps {
  readonly change: HistoryChange;
  /** The newest one always has a receipt, or shows why it cannot be read. */
  readonly isNewest: boolean;
  readonly hasReceipt: boolean;
}

function RecentChange({ change, isNewest, hasReceipt }: RecentChangeProps) {
  const environment = useEnvironment();
  const { version, at, by, signedBy, documents, moreDocuments } = change;
  const receipt = useReceipt(environment.id, isNewest || hasReceipt ? version : undefined);
  const [first] = documents;
  if (!first) return null;
  const others = documents.length + moreDocuments - 1;
  const isAlike = others > 0 && moreDocuments === 0 && documents.every(({ action }) => action === first.action);
  const numberOf = (kind: string) => documents.filter((document) => document.kind === kind).length;
  const live = receipt?.live ?? (isNewest && receipt?.failure);
  return (
    <li class="change">
      <header>
        <Avatar by={plain(by)} />
        <div>
          <p>
            {first.action}{' '}
            {isAlike ? (
              [counted(numberOf('flag'), 'flag'), counted(numberOf('segment'), 'segment')].filter(Boolean).join(' and ')
            ) : (
              <>
                <a href={linkTo(first.kind === 'flag' ? 'flags' : 'segments', first.id)}>
                  {nameOf(first.kind, first.id)}
                </a>
                {others > 0 && ` and ${others} more`}
              </>
            )}
            <span class="hint"> {detailOf(first)}</span>
          </p>
          <p class="hint">
            {plainly(by)} {signedBy && <Badge title={signedBy}>verified</Badge>} · <Time at={at} />
            {live && ` · ${live}`}
          </p>
        </div>
        <UndoButton change={change} />
      </header>
    </li>
  );
}

/** The first difference of an edit, and the number of others. */
function detailOf({ action, changes, moreChanges }: HistoryChange['documents'][number]): string {
  if (action !== 'edited') return '';
  const [first, ...others] = withoutAction(changes);
  if (!first) return '';
  const { label, before, after } = first;
  const more = others.length + moreChanges;
  return `${label}: ${before || '–'} → ${after || '–'}${more > 0 ? `, and ${more} more` : ''}`;
}
