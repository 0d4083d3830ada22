import { useMemo } from 'preact/hooks';
import type { EnvironmentName } from '../../../api.ts';
import { flagCount } from '../../../flagBatch.ts';
import { Heading } from '../../../ui/heading.tsx';
import { Time } from '../../../ui/time.tsx';
import { type AttentionLine, deploymentLines, documentLines } from '../../logic/attention.ts';
import { Section } from '../documents/section.tsx';
import { content, flags } from '../state/content.ts';
import { linkTo } from '../state/route.ts';
import { context } from '../state/session.ts';
import { useAttention } from './useAttention.ts';

/** The most lines of flags and segments: an import may leave thousands. */
const SHOWN = 50;

/** What needs attention in an environment and its deployment, and what could not be checked. */
export function OverviewPage({ environment }: { readonly environment: EnvironmentName }) {
  const asked = useAttention(environment.id);
  const ofDocuments = useMemo(() => (content.value ? documentLines(content.value) : []), [content.value]);
  const lines = [...deploymentLines(asked, context.value?.versionWarning), ...ofDocuments];
  const problems = lines.filter(({ kind }) => kind === 'problem');
  const unread = lines.filter(({ kind }) => kind === 'unread');
  const used = flags.value.filter(({ document }) => !document.isArchived);
  const on = used.filter(({ document }) => document.isEnabled).length;
  return (
    <>
      <Heading title="Overview" lead={`What needs attention in ${environment.name}.`} />
      <p>
        {used.length === 0 ? (
          <a href={linkTo('flags')}>Create your first flag</a>
        ) : (
          <>
            <a href={linkTo('flags')}>{flagCount(used.length)}</a>, {on} on ·{' '}
            <a href={linkTo('keys')}>Connect an SDK</a>
          </>
        )}
      </p>
      <Section title={problems.length === 0 ? 'Status' : 'Needs attention'}>
        {!asked && <p class="hint">Checking …</p>}
        {asked && problems.length === 0 && (
          <p class="all-well" role="status">
            {unread.length === 0
              ? 'Nothing needs your attention.'
              : 'Nothing needs your attention in what was checked.'}
          </p>
        )}
        <Lines lines={problems.slice(0, SHOWN)} />
        {problems.length > SHOWN && <p class="hint">and {problems.length - SHOWN} more</p>}
        {asked && 'attention' in asked && (
          <p class="hint">
            Checked <Time at={asked.attention.at} />
          </p>
        )}
      </Section>
      {unread.length > 0 && (
        <Section title="Not checked">
          <Lines lines={unread} />
        </Section>
      )}
    </>
  );
}

function Lines({ lines }: { readonly lines: readonly AttentionLine[] }) {
  if (lines.length === 0) return null;
  return (
    <ul class="attention">
      {lines.map(({ text, detail, at, since }) => (
        <li key={`${text} ${at && addressOf(at)}`}>
          {at ? (
            <a href={addressOf(at)} {...('url' in at ? { target: '_blank', rel: 'noreferrer' } : {})}>
              {text}
            </a>
          ) : (
            <b>{text}</b>
          )}
          {since !== undefined && (
            <span class="hint">
              {' '}
              since <Time at={since} />
            </span>
          )}
          {detail && <p class="hint">{detail}</p>}
        </li>
      ))}
    </ul>
  );
}

function addressOf(at: NonNullable<AttentionLine['at']>): string {
  return 'url' in at ? at.url : linkTo(at.view, at.id);
}
