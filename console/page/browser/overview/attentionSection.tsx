import { useMemo } from 'preact/hooks';
import { Section, Skeleton } from '../../../ui/blocks.tsx';
import { Time } from '../../../ui/time.tsx';
import { type AttentionLine, deploymentLines, documentLines } from '../../logic/attention.ts';
import { planLines } from '../../logic/plans.ts';
import { request } from '../api/request.ts';
import { usePolled } from '../api/usePolled.ts';
import { plainly } from '../documents/plainly.tsx';
import { content, segmentName } from '../state/content.ts';
import { usePlans } from '../state/plans.ts';
import { linkTo } from '../state/route.ts';
import { context, useEnvironment } from '../state/session.ts';

/** Maximum number of lines about flags and segments. An import can cause thousands. */
const SHOWN = 50;

/** Problems of an environment and its deployment, planned changes and failed checks. */
export function AttentionSection() {
  const asked = usePolled(() => request('GET attention', {}), []);
  const plans = usePlans(useEnvironment().id);
  const isChecked = asked !== undefined && plans !== undefined;
  const ofDocuments = useMemo(() => (content.value ? documentLines(content.value) : []), [content.value]);
  const lines = [
    ...deploymentLines(asked, context.value?.versionWarning),
    ...planLines(plans, segmentName.value),
    ...ofDocuments,
  ];
  const problems = lines.filter(({ kind }) => kind === 'problem');
  const planned = lines.filter(({ kind }) => kind === 'planned');
  const unread = lines.filter(({ kind }) => kind === 'unread');
  const checked = asked?.at !== undefined && (
    <span class="hint">
      Checked <Time at={asked.at} />
    </span>
  );
  return (
    <Section title="Needs attention" actions={checked}>
      {!isChecked && <Skeleton lines={2} />}
      {isChecked && problems.length === 0 && (
        <p class="all-well" role="status">
          {unread.length === 0 ? 'Nothing needs your attention.' : 'Nothing needs your attention in what was checked.'}
        </p>
      )}
      <Lines lines={problems} />
      <Lines title="Planned changes" lines={planned} />
      <Lines title="Not checked" lines={unread} />
    </Section>
  );
}

function Lines({ title, lines }: { readonly title?: string; readonly lines: readonly AttentionLine[] }) {
  if (lines.length === 0) return null;
  return (
    <>
      {title && <h3>{title}</h3>}
      <ul class="attention bullets">
        {lines.slice(0, SHOWN).map(({ text, detail, at, since }) => (
          <li key={`${text} ${at && addressOf(at)}`}>
            {at ? (
              <a href={addressOf(at)} {...('url' in at ? { target: '_blank', rel: 'noreferrer' } : {})}>
                {text}
              </a>
            ) : (
              text
            )}
            {since !== undefined && (
              <span class="hint">
                {' '}
                since <Time at={since} />
              </span>
            )}
            {detail && <p class="hint">{plainly(detail)}</p>}
          </li>
        ))}
      </ul>
      {lines.length > SHOWN && <p class="hint">and {lines.length - SHOWN} more</p>}
    </>
  );
}

function addressOf(at: NonNullable<AttentionLine['at']>): string {
  return 'url' in at ? at.url : linkTo(at.view, at.id);
}
