import { useState } from 'preact/hooks';
import { DescriptionList, Heading, Section } from '../../../ui/blocks.tsx';
import { DialogButton } from '../../../ui/button.tsx';
import { Check, TextField } from '../../../ui/field.tsx';
import { request } from '../api/request.ts';
import { ConfirmDialog } from '../documents/confirmDialog.tsx';
import { content, load } from '../state/content.ts';
import { context, may, noteEnvironment, useEnvironment } from '../state/session.ts';

/** Settings of an environment: name, production, and retention of the history. */
export function SettingsPage() {
  const environment = useEnvironment();
  const { historyDays, requiresReason } = currentSettings();
  const { mode, table, region } = context.value ?? {};
  return (
    <>
      <Heading title="Settings" lead={`Environment ${environment.name}`}>
        <DialogButton
          text="Edit"
          label="Edit the environment"
          disabled={!may('administrator')}
          dialog={(onClose) => <EnvironmentDialog onClose={onClose} />}
        />
      </Heading>
      <Section title="Environment">
        <DescriptionList
          class="facts"
          items={[
            ['Name', environment.name],
            ['Id', <code>{environment.id}</code>],
            ['Production', environment.isProduction ? 'yes: each change must be confirmed with the name' : 'no'],
            ['Reason required', requiresReason ? 'yes, for each change of a flag or segment' : 'no'],
            ['History kept for', `${historyDays} days`],
            ['Table', mode === 'local' ? 'local table' : `${table}, ${region}`],
          ]}
        />
      </Section>
    </>
  );
}

function currentSettings() {
  const { historyDays = 0, requiresReason = false } = content.value?.environment ?? {};
  return { historyDays, requiresReason };
}

function EnvironmentDialog({ onClose }: { readonly onClose: () => void }) {
  const environment = useEnvironment();
  const { historyDays, requiresReason } = currentSettings();
  const [name, setName] = useState(environment.name);
  const [isProduction, setProduction] = useState(environment.isProduction);
  const [isReasonRequired, setReasonRequired] = useState(requiresReason);
  const [days, setDays] = useState(String(historyDays));
  return (
    <ConfirmDialog
      title={`Edit ${environment.name}`}
      action="Save environment"
      onClose={onClose}
      act={async (confirm) => {
        const changed = {
          ...(name.trim() === environment.name ? {} : { name: name.trim() }),
          ...(isProduction === environment.isProduction ? {} : { isProduction }),
          ...(isReasonRequired === requiresReason ? {} : { requiresReason: isReasonRequired }),
          ...(Number(days) === historyDays ? {} : { historyDays: Number(days) }),
        };
        noteEnvironment(
          await request('PATCH environments/:env', { env: environment.id, body: { ...changed, ...confirm } }),
        );
        await load(environment.id);
        return 'Environment saved.';
      }}
    >
      <TextField label="Name" value={name} onInput={setName} isFirst />
      <TextField label="Days to keep history" value={days} onInput={setDays} />
      <Check label="Production: confirm each change by typing the name" isOn={isProduction} onChange={setProduction} />
      <Check
        label="Require a reason for each change of a flag or segment"
        isOn={isReasonRequired}
        onChange={setReasonRequired}
      />
    </ConfirmDialog>
  );
}
