import { useMemo, useState } from 'preact/hooks';
import { segmentNames } from '../../../../shared/describe/compareFlags.ts';
import { type CopiedParts, type CopyEnvironment, copyFlags } from '../../../../shared/describe/copyFlags.ts';
import { changesOf } from '../../../../shared/describe/documentChanges.ts';
import { addedSdkDifferences } from '../../../../shared/describe/sdks/sdkDifferences.ts';
import { counted } from '../../../../shared/describe/servedText.ts';
import { withoutDeleted } from '../../../../shared/flags/deletion.ts';
import { byKind, type Document, displayName, documentName, documentTitle } from '../../../../shared/flags/document.ts';
import type { EnvironmentContent } from '../../../api.ts';
import { COPY_DOCUMENTS } from '../../../flagBatch.ts';
import { ChoiceField } from '../../../ui/field.tsx';
import { problemsOf } from '../../logic/problems.ts';
import { messageOf, RequestFailure, request } from '../api/request.ts';
import { changeNews } from '../documents/changeNews.tsx';
import { ChangeTable } from '../documents/changeTable.tsx';
import { ConfirmDialog } from '../documents/confirmDialog.tsx';
import { Problems, SdkDifferences } from '../documents/problems.tsx';

interface CopyDialogProps {
  /** Of the flags. */
  readonly keys: readonly string[];
  readonly source: CopyEnvironment;
  /** The environment that flags are copied to. */
  readonly target: EnvironmentContent;
  /** Called if the documents are outdated. */
  readonly onStale: () => void;
  readonly onCopied: () => void;
  readonly onClose: () => void;
}

/** Shows the changes of a copy, including required segments, and writes them as one change. */
export function CopyDialog({ keys, source, target, onStale, onCopied, onClose }: CopyDialogProps) {
  const { environment } = target;
  // The content at opening. Later changes of others are conflicts.
  const [present] = useState({ source, target });
  const [parts, setParts] = useState<CopiedParts>('targeting');
  const { copied, problem } = useMemo(() => planCopy(keys, present.source, present.target, parts), [parts]);
  const written = byKind(copied.map(({ document }) => document));
  const segments = [...byKind(target.documents).segments, ...written.segments];
  const problems = copied.flatMap(({ document }) =>
    problemsOf(document, segments).map((each) => ({ ...each, path: `${documentTitle(document)} ${each.path}` })),
  );
  const isInvalid = problems.some(({ severity }) => severity === 'error');
  return (
    <ConfirmDialog
      title={`Copy ${counted(keys.length, 'flag')} to ${environment.name}`}
      action={`Copy to ${environment.name}`}
      busy="Copying …"
      environment={environment}
      problem={problem}
      isInHistory
      isReady={!isInvalid && problem === undefined && copied.length > 0}
      isActionFirst
      onClose={onClose}
      act={async (signature) => {
        const documents = copied.map(({ document, expectedVersion }) => ({ document, expectedVersion }));
        const body = { from: source.name, documents, ...signature };
        try {
          const answer = await request('POST environments/:env/copy', { env: environment.id, body });
          onStale();
          onCopied();
          const text = `Copied ${counted(written.flags.length, 'flag')} to ${environment.name}`;
          return { text, more: changeNews(environment, answer) };
        } catch (error) {
          if (!(error instanceof RequestFailure) || error.code !== 'edit-conflict') throw error;
          onStale();
          throw new Error(`${messageOf(error)}. Cancel, and compare again.`);
        }
      }}
    >
      <ChoiceField
        label="Copy"
        value={parts}
        options={['targeting', { value: 'targeting and state', text: 'targeting and on/off state' }]}
        hint={parts === 'targeting' ? `Each flag stays on or off in ${environment.name}. A new one is off.` : ''}
        onChange={setParts}
      />
      {copied.length === 0 && !problem && <p>Nothing changes.</p>}
      {written.segments.length > 0 && (
        <p class="notice warning">
          “{environment.name}” does not have {counted(written.segments.length, 'segment')} that these flags refer to.
          Copying creates {written.segments.length === 1 ? 'it' : 'them'}.
        </p>
      )}
      {copied.map(({ document, changes }) => (
        <div key={documentName(document)}>
          <p>
            {document.kind} <code>{displayName(document)}</code>
          </p>
          <ChangeTable changes={changes} label={`What changes of ${documentTitle(document)}`} />
        </div>
      ))}
      <Problems problems={problems} />
      <SdkDifferences differences={[...new Set(copied.flatMap(({ differences }) => differences))]} />
    </ConfirmDialog>
  );
}

/** The documents to write with their changes, or the reason why a copy is impossible. */
function planCopy(
  keys: readonly string[],
  source: CopyEnvironment,
  { environment: { name }, documents: present }: EnvironmentContent,
  parts: CopiedParts,
) {
  const target = { name, documents: present };
  const before = new Map(withoutDeleted(present).map((document) => [documentName(document), document]));
  const segmentName = segmentNames(source, target);
  try {
    const copied = copyFlags(keys, source, target, () => crypto.randomUUID(), parts).flatMap((document: Document) => {
      const stored = before.get(documentName(document));
      const changes = changesOf(stored, document, segmentName);
      const differences = addedSdkDifferences(stored, document);
      return changes.length === 0 ? [] : [{ document, expectedVersion: stored?.version ?? null, changes, differences }];
    });
    const problem = `These are ${copied.length} flags and segments; at most ${COPY_DOCUMENTS} can be copied at once. Select fewer.`;
    return { copied, problem: copied.length > COPY_DOCUMENTS ? problem : undefined };
  } catch (error) {
    return { copied: [], problem: messageOf(error) };
  }
}
