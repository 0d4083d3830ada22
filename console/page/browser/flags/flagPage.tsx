import { servedText } from '../../../../shared/describe/servedText.ts';
import type { Flag } from '../../../../shared/flags/flag.ts';
import type { VersionedFlag } from '../../../api.ts';
import { Badge, Heading } from '../../../ui/blocks.tsx';
import { openPlanTexts } from '../../logic/plans.ts';
import { FLAG_TABS, type FlagTab } from '../../logic/route.ts';
import { request } from '../api/request.ts';
import { usePolled } from '../api/usePolled.ts';
import { LastChange } from '../documents/changedTime.tsx';
import { DocumentMenu } from '../documents/documentMenu.tsx';
import { DraftBar } from '../documents/draftBar.tsx';
import { GeneralSection } from '../documents/generalSection.tsx';
import { PlanSection } from '../documents/planSection.tsx';
import { ChangeList } from '../history/changeList.tsx';
import { find, isDeleted } from '../state/content.ts';
import { draftOf, edit } from '../state/drafts.ts';
import { usePlans } from '../state/plans.ts';
import { linkTo, linkToSearch } from '../state/route.ts';
import { may, useEnvironment } from '../state/session.ts';
import { EnvironmentStrip } from './environmentStrip.tsx';
import { FallthroughSection, OffSection } from './fallthroughSection.tsx';
import { FlagList } from './flagList.tsx';
import { FlagRules } from './flagRules.tsx';
import { FlagSwitch } from './flagSwitch.tsx';
import { NewFlagDialog } from './newFlagDialog.tsx';
import { TargetsSection } from './targetsSection.tsx';
import { compact } from './usageChart.tsx';
import { UsageSection } from './usageSection.tsx';
import { VariationsSection } from './variationsSection.tsx';

/** A flag, in tabs. Every edit is a draft until it is reviewed. */
export function FlagPage({ flagKey, tab }: { readonly flagKey: string; readonly tab: FlagTab }) {
  const environment = useEnvironment();
  const plans = usePlans(environment.id, { kind: 'flag', id: flagKey });
  const { refusal } = openPlanTexts(plans);
  const stored = find('flag', flagKey);
  if (stored?.kind !== 'flag') {
    return (
      <>
        <p class="notice" role="status">
          {isDeleted('flag', flagKey) ? (
            <>
              The flag “{flagKey}” was deleted in {environment.name}.{' '}
              <a href={linkTo('history')}>Undo it in the history</a>
            </>
          ) : (
            `There is no flag “${flagKey}” in ${environment.name}.`
          )}
        </p>
        <FlagList />
      </>
    );
  }
  const draft = draftOf(environment.id, stored);
  const flag = (draft?.document.document as Flag | undefined) ?? stored.document;
  const mayEdit = may('editor', environment.id);
  // Nothing can be edited in an archived one.
  const shown = mayEdit ? flag : { ...flag, isArchived: true };
  const base = draft?.base ?? stored;
  const change = (document: Flag) => edit(environment.id, base, { kind: 'flag', document });
  return (
    <>
      <p class="hint back">
        <a href={linkToSearch()}>← All flags</a>
      </p>
      <Heading
        title={flag.name || flagKey}
        lead={flag.name !== '' && flag.name !== flagKey && <code>{flagKey}</code>}
        badges={
          <>
            <Badge>{flag.variationType}</Badge>
            {flag.isArchived && <Badge kind="warning">archived</Badge>}
          </>
        }
      >
        {!flag.isArchived && <FlagSwitch stored={stored} draft={draft} />}
        <a class="button" href={linkTo('evaluate', flagKey)}>
          Evaluate
        </a>
        {mayEdit && (
          <DocumentMenu
            name={flagKey}
            stored={stored}
            draft={draft}
            notes={{
              archive: 'SDKs return the default in your code until you restore the flag.',
              restore: `SDKs get the flag again. It is ${flag.isEnabled ? 'on' : 'off'}.`,
              delete: 'SDKs return the default in your code. The key can be used again.',
            }}
            duplicate={(close) => <NewFlagDialog from={stored.document} onClose={close} />}
          />
        )}
      </Heading>
      <ServingLine stored={stored} />
      <EnvironmentStrip flag={stored.document} />
      <nav class="tabs" aria-label={`Parts of ${flagKey}`}>
        {(Object.keys(FLAG_TABS) as FlagTab[]).map((each) => (
          <a key={each} href={linkTo('flags', flagKey, each)} aria-current={each === tab ? 'page' : undefined}>
            {FLAG_TABS[each]}
          </a>
        ))}
      </nav>
      {tab === 'targeting' && (
        <>
          <PlanSection asked={plans} />
          <TargetsSection flag={shown} onChange={change} />
          <FlagRules stored={stored} flag={shown} refusal={refusal} onChange={change} />
          <FallthroughSection stored={stored} flag={shown} refusal={refusal} onChange={change} />
          <OffSection flag={shown} onChange={change} />
        </>
      )}
      {tab === 'variations' && <VariationsSection flag={shown} onChange={change} />}
      {tab === 'usage' && <UsageSection flag={stored.document} />}
      {tab === 'history' && <ChangeList query={{ kind: 'flag', id: flagKey }} title="History of this flag" />}
      {tab === 'settings' && <GeneralSection document={shown} onChange={change} />}
      <DraftBar envId={environment.id} name={flagKey} stored={stored} draft={draft} />
    </>
  );
}

/** What the saved flag serves, its evaluations in 24 hours, and its last change, in one line. */
function ServingLine({ stored }: { readonly stored: VersionedFlag }) {
  const { id: env } = useEnvironment();
  const { key, isArchived } = stored.document;
  const usage = usePolled(
    () => request('GET environments/:env/usage', { env, query: { flag: key, period: 'day' } }),
    [env, key],
  );
  return (
    <p class="serving lead">
      {isArchived ? (
        'Archived: SDKs return the default in your code. Restore the flag to edit it'
      ) : (
        <>
          Serving <b>{servedText(stored.document)}</b>
        </>
      )}
      {usage?.kind === 'counted' &&
        ` · ${compact(usage.total)} ${usage.total === 1 ? 'evaluation' : 'evaluations'} in 24 h`}
      {' · '}
      <LastChange stored={stored} />
    </p>
  );
}
