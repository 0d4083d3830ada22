import { useState } from 'preact/hooks';
import type { EnvironmentName } from '../../../api.ts';
import { Button } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/field.tsx';
import { request } from '../api/request.ts';
import { ConfirmDialog } from '../documents/confirmDialog.tsx';
import { Section } from '../documents/section.tsx';
import { content, load } from '../state/content.ts';
import { noteEnvironment } from '../state/session.ts';

/** Settings of an environment: name, production, and retention of the history. */
export function EnvironmentSection({ environment }: { readonly environment: EnvironmentName }) {
  const [isEdited, setEdited] = useState(false);
  const { historyDays = 0, requiresReason = false } = content.value?.environment ?? {};
  return (
    <Section
      title="Environment"
      actions={<Button text="Edit" kind="small" label="Edit the environment" onClick={() => setEdited(true)} />}
    >
      <dl class="facts">
        <div>
          <dt>Name</dt>
          <dd>{environment.name}</dd>
        </div>
        <div>
          <dt>Id</dt>
          <dd>
            <code>{environment.id}</code>
          </dd>
        </div>
        <div>
          <dt>Production</dt>
          <dd>{environment.isProduction ? 'yes: each change must be confirmed with the name' : 'no'}</dd>
        </div>
        <div>
          <dt>Reason required</dt>
          <dd>{requiresReason ? 'yes, for each change of a flag or segment' : 'no'}</dd>
        </div>
        <div>
          <dt>History kept for</dt>
          <dd>{historyDays} days</dd>
        </div>
      </dl>
      {isEdited && (
        <EnvironmentDialog
          environment={environment}
          historyDays={historyDays}
          requiresReason={requiresReason}
          onClose={() => setEdited(false)}
        />
      )}
    </Section>
  );
}

interface EnvironmentDialogProps {
  readonly environment: EnvironmentName;
  readonly historyDays: number;
  readonly requiresReason: boolean;
  readonly onClose: () => void;
}

function EnvironmentDialog({ environment, historyDays, requiresReason, onClose }: EnvironmentDialogProps) {
  const [name, setName] = useState(environment.name);
  const [isProduction, setProduction] = useState(environment.isProduction);
  const [isReasonRequired, setReasonRequired] = useState(requiresReason);
  const [days, setDays] = useState(String(historyDays));
  return (
    <ConfirmDialog
      title={`Edit ${environment.name}`}
      action="Save environment"
      environment={environment}
      onClose={onClose}
      act={async (confirm) => {
        const changed = {
          ...(name.trim() === environment.name ? {} : { name: name.trim() }),
          ...(isProduction === environment.isProduction ? {} : { isProduction }),
          ...(isReasonRequired === requiresReason ? {} : { requiresReason: isReasonRequired }),
          ...(Number(days) === historyDays ? {} : { historyDays: Number(days) }),
        };
        noteEnvironment(
          await request('PATCH environments/:env', { of: { env: environment.id }, body: { ...changed, ...confirm } }),
        );
        await load(environment.id);
        return 'Environment saved.';
      }}
    >
      <TextField label="Name" value={name} onInput={setName} isFirst />
      <TextField label="Days to keep history" value={days} onInput={setDays} />
      <label class="check">
        <input
          type="checkbox"
          checked={isProduction}
          onChange={(event) => setProduction(event.currentTarget.checked)}
        />
        Production: confirm each change by typing the name
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={isReasonRequired}
          onChange={(event) => setReasonRequired(event.currentTarget.checked)}
        />
        Require a reason for each change of a flag or segment
      </label>
    </ConfirmDialog>
  );
}
