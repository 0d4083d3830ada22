import { excluding, including, leavingToRules } from '../../../../shared/flags/edits/segmentEdits.ts';
import type { Segment } from '../../../../shared/flags/segment.ts';
import { EmptyState, Heading, Section } from '../../../ui/blocks.tsx';
import { listMissing } from '../../../ui/mergeTexts.ts';
import { PASTE_HINT, TextList } from '../../../ui/textList.tsx';
import { LastChange } from '../documents/changedTime.tsx';
import { DocumentMenu } from '../documents/documentMenu.tsx';
import { DraftBar } from '../documents/draftBar.tsx';
import { GeneralSection } from '../documents/generalSection.tsx';
import { PlanSection } from '../documents/planSection.tsx';
import { RuleForm } from '../documents/ruleForm.tsx';
import { RulesSection } from '../documents/rulesSection.tsx';
import { ChangeList } from '../history/changeList.tsx';
import { find, isDeleted, segmentUsers } from '../state/content.ts';
import { draftOf, edit } from '../state/drafts.ts';
import { usePlans } from '../state/plans.ts';
import { linkTo } from '../state/route.ts';
import { may, useEnvironment } from '../state/session.ts';
import { FlagLinks } from './flagLinks.tsx';
import { NewSegmentDialog } from './newSegmentDialog.tsx';

const NOTES = {
  archive: 'No rule can use the segment until it is restored.',
  restore: 'Rules can use the segment again.',
  delete: 'Its name can be used again.',
};

/** A segment: its users, its rules, and the flags that use it. */
export function SegmentPage({ id }: { readonly id: string }) {
  const environment = useEnvironment();
  const plans = usePlans(environment.id, { kind: 'segment', id });
  const stored = find('segment', id);
  if (stored?.kind !== 'segment') {
    return (
      <EmptyState title={isDeleted('segment', id) ? 'The segment was deleted' : 'No such segment'}>
        {isDeleted('segment', id) && <a href={linkTo('history')}>Undo it in the history</a>}
        <a href={linkTo('segments')}>All segments</a>
      </EmptyState>
    );
  }
  const draft = draftOf(environment.id, stored);
  const edited = (draft?.document.document as Segment | undefined) ?? stored.document;
  const mayEdit = may('editor', environment.id);
  // Nothing can be edited in an archived one.
  const segment = mayEdit ? edited : { ...edited, isArchived: true };
  const base = draft?.base ?? stored;
  const change = (document: Segment) => edit(environment.id, base, { kind: 'segment', document });
  const users = segmentUsers.value(id);
  return (
    <>
      <p class="hint back">
        <a href={linkTo('segments')}>← All segments</a>
      </p>
      <Heading title={segment.name || id} lead={<LastChange stored={stored} />}>
        {mayEdit && (
          <DocumentMenu
            name={segment.name}
            stored={stored}
            draft={draft}
            isUsed={users.length > 0}
            notes={NOTES}
            duplicate={(close) => <NewSegmentDialog from={stored.document} onClose={close} />}
          />
        )}
      </Heading>
      <p>
        {users.length > 0 && 'Used by these flags, so it cannot be archived or deleted: '}
        <FlagLinks keys={users} none="Not used by any flag." />
      </p>
      <PlanSection asked={plans} />
      <Members segment={segment} onChange={change} />
      <RulesSection
        document={segment}
        about="Users who match any rule are in the segment."
        onChange={change}
        complete={(rule) => rule}
        form={(edit) => (
          <RuleForm {...edit} mayAskSegments={false} onDone={(typed) => edit.onDone({ ...edit.rule, ...typed })} />
        )}
      />
      <GeneralSection document={segment} onChange={change} />
      <ChangeList query={{ kind: 'segment', id }} title="History of this segment" />
      <DraftBar envId={environment.id} name={segment.name} stored={stored} draft={draft} />
    </>
  );
}

const LISTS = [
  { title: 'Included', list: 'included', put: including },
  { title: 'Excluded', list: 'excluded', put: excluding },
] as const;

function Members({ segment, onChange }: { readonly segment: Segment; readonly onChange: (segment: Segment) => void }) {
  const change = (put: typeof including, before: readonly string[], after: readonly string[]) => {
    const removed = listMissing(before, after);
    const added = listMissing(after, before);
    onChange(put(leavingToRules(segment, removed), added));
  };
  return (
    <Section
      title="Individual users"
      about={`These users are always in or out of the segment, regardless of rules. ${PASTE_HINT}`}
    >
      <div class="targets">
        {LISTS.map(({ title, list, put }) => (
          <div key={list}>
            <p class="label">{title}</p>
            <TextList
              label={`${list} users`}
              items={segment[list]}
              placeholder="user key (keyId)"
              disabled={segment.isArchived}
              onChange={(after) => change(put, segment[list], after)}
            />
          </div>
        ))}
      </div>
    </Section>
  );
}
