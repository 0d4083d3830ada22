import { useState } from 'preact/hooks';
import type { Flag } from '../../../../shared/flags/flag.ts';
import { nameOfVariation } from '../../../../shared/flags/shares.ts';
import type { HistoryChange } from '../../../history.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { EmptyState } from '../../../ui/emptyState.tsx';
import { Heading } from '../../../ui/heading.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { ChangedTime } from '../documents/changedTime.tsx';
import { DraftBar } from '../documents/draftBar.tsx';
import { GeneralSection } from '../documents/generalSection.tsx';
import { PlanSection } from '../documents/planSection.tsx';
import { ChangeList } from '../history/changeList.tsx';
import { find, isDeleted } from '../state/content.ts';
import { draftOf, edit } from '../state/drafts.ts';
import { preview } from '../state/preview.ts';
import { ask } from '../state/review.ts';
import { linkTo, linkToSearch } from '../state/route.ts';
import { useEnvironment } from '../state/shownEnvironment.ts';
import { FallthroughSection } from './fallthroughSection.tsx';
import { FlagActions } from './flagActions.tsx';
import { FlagRules } from './flagRules.tsx';
import { GradualRollout } from './gradualRollout.tsx';
import { TargetsSection } from './targetsSection.tsx';
import { UsageSection } from './usageSection.tsx';
import { VariationsSection } from './variationsSection.tsx';

/** A flag. Every edit is a draft until it is reviewed. */
export function FlagPage({ flagKey }: { readonly flagKey: string }) {
  const environment = useEnvironment();
  const [newest, setNewest] = useState<HistoryChange>();
  const stored = find('flag', flagKey);
  if (stored?.kind !== 'flag') {
    return (
      <EmptyState title={isDeleted('flag', flagKey) ? `The flag “${flagKey}” was deleted` : `No flag “${flagKey}”`}>
        {isDeleted('flag', flagKey) && <a href={linkTo('history')}>Undo it in the history</a>}
        <a href={linkTo('flags')}>All flags</a>
      </EmptyState>
    );
  }
  const live = preview.value?.envId === environment.id ? preview.value : undefined;
  const liveValue = live?.values.find(({ key }) => key === flagKey);
  const draft = draftOf(environment.id, stored);
  const flag = (draft?.document.document as Flag | undefined) ?? stored.document;
  const base = draft?.base ?? stored;
  const offVariation = flag.variations.find(({ id }) => id === flag.disabledVariationId);
  const change = (document: Flag) => edit(environment.id, base, { kind: 'flag', document });
  const save = (changed: Partial<Flag>, what: string, note?: string) =>
    ask({ title: `${what} ${flagKey}`, note, base, document: { kind: 'flag', document: { ...flag, ...changed } } });
  const archive = () =>
    flag.isArchived
      ? save({ isArchived: false }, 'Restore', `SDKs get the flag again. It is ${flag.isEnabled ? 'on' : 'off'}.`)
      : save({ isArchived: true }, 'Archive', 'SDKs return the default in your code until you restore the flag.');
  return (
    <>
      <p class="up">
        <a href={linkToSearch()}>← All flags</a>
      </p>
      <Heading
        title={flag.name || flagKey}
        lead={
          <>
            {flag.name !== '' && flag.name !== flagKey && <code>{flagKey} </code>}
            <Badge>{flag.variationType}</Badge> {flag.isArchived && <Badge kind="warning">archived</Badge>}{' '}
            <ChangedTime version={stored.version} change={newest} />
          </>
        }
      >
        {!flag.isArchived && (
          <Switch
            isOn={flag.isEnabled}
            label={`Toggle ${flagKey}`}
            onToggle={() => save({ isEnabled: !flag.isEnabled }, flag.isEnabled ? 'Turn off' : 'Turn on')}
          />
        )}
        <a class="button" href={linkTo('evaluate', flagKey)}>
          Evaluate
        </a>
        <Button text={flag.isArchived ? 'Restore' : 'Archive'} onClick={archive} />
        <FlagActions stored={stored} />
      </Heading>
      {live && (
        <p class="live-value" aria-live="polite">
          {live.keyId} gets <code class="value">{liveValue?.value ?? 'the default in your code'}</code> from the SDK in
          this page
        </p>
      )}
      {flag.isArchived && (
        <p class="notice warning">Archived: SDKs return the default in your code. Restore it to edit.</p>
      )}
      {!flag.isArchived && !flag.isEnabled && (
        <p class="notice">
          Off: all users get <code class="value">{offVariation && nameOfVariation(offVariation)}</code>. Targets, rules
          and the default rule apply once the flag is on.
        </p>
      )}
      <PlanSection kind="flag" id={flagKey} />
      <TargetsSection flag={flag} onChange={change} />
      <FlagRules flag={flag} onChange={change} />
      <FallthroughSection
        flag={flag}
        onChange={change}
        action={!stored.document.isArchived && <GradualRollout stored={stored} />}
      />
      <VariationsSection flag={flag} onChange={change} />
      <GeneralSection document={flag} onChange={change} />
      <UsageSection flag={stored.document} />
      <ChangeList query={{ kind: 'flag', id: flagKey }} title="History of this flag" onRead={setNewest} />
      <DraftBar envId={environment.id} name={flagKey} stored={stored} draft={draft} />
    </>
  );
}
