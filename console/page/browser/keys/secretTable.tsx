import { useState } from 'preact/hooks';
import type { IssuedSecret, Secret } from '../../../api.ts';
import { Badge } from '../../../ui/blocks.tsx';
import { DialogButton } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/field.tsx';
import { Time } from '../../../ui/time.tsx';
import { request } from '../api/request.ts';
import { ConfirmDialog } from '../documents/confirmDialog.tsx';
import { content, load } from '../state/content.ts';
import { may, useEnvironment } from '../state/session.ts';

interface SecretTableProps {
  readonly onIssued: (secrets: readonly IssuedSecret[]) => void;
}

const HOUR_MS = 3_600_000;
const GRACES = [
  { value: String(24 * HOUR_MS), text: '1 day' },
  { value: String(HOUR_MS), text: '1 hour' },
  { value: String(7 * 24 * HOUR_MS), text: '7 days' },
  { value: '0', text: 'No grace period: revoke now' },
] as const;

/** Keys by name and first characters, with actions to rotate or revoke them. */
export function SecretTable({ onIssued }: SecretTableProps) {
  return (
    <ul class="list">
      {content.value?.secrets.map((secret) => {
        const state = stateOf(secret);
        return (
          <li key={secret.id} class={state === 'active' ? '' : 'over'}>
            <div class="list-main">
              <b>{secret.name}</b> <code>{secret.hint}…</code>
            </div>
            <div class="list-about">
              <Badge>{secret.type}</Badge>{' '}
              {state !== 'active' && (
                <Badge kind="warning">
                  {state} {state === 'ends' && <Time at={Date.parse(secret.revokedAt ?? '')} isExact />}
                </Badge>
              )}
              {secret.relay && <Badge>relay</Badge>}
            </div>
            {state !== 'revoked' && !secret.relay && may('administrator') && (
              <div class="actions">
                <DialogButton
                  text="Rotate"
                  kind="small"
                  label={`Rotate key ${secret.name}`}
                  dialog={(onClose) => <RotateDialog secret={secret} onClose={onClose} onIssued={onIssued} />}
                />
                <DialogButton
                  text="Revoke"
                  kind="small danger"
                  label={`Revoke key ${secret.name}`}
                  dialog={(onClose) => <RevokeDialog secret={secret} onClose={onClose} />}
                />
              </div>
            )}
          </li>
        );
      })}
    </ul>
  );
}

interface SecretDialogProps {
  readonly secret: Secret;
  readonly onClose: () => void;
}

function RotateDialog({ secret, onClose, onIssued }: SecretDialogProps & Pick<SecretTableProps, 'onIssued'>) {
  const environment = useEnvironment();
  const [graceMs, setGrace] = useState<string>(GRACES[0].value);
  return (
    <ConfirmDialog
      title={`Rotate key ${secret.name}`}
      action="Rotate key"
      onClose={onClose}
      act={async (confirm) => {
        const ids = { env: environment.id, secret: secret.id };
        const body = { graceMs: Number(graceMs), ...confirm };
        onIssued([await request('POST environments/:env/secrets/:secret/rotate', { ...ids, body })]);
        return `Rotated key “${secret.name}”.`;
      }}
    >
      <p>Creates a new key with the same name and type.</p>
      <ChoiceField label="Grace period for the old key" value={graceMs} options={GRACES} onChange={setGrace} />
    </ConfirmDialog>
  );
}

function RevokeDialog({ secret, onClose }: SecretDialogProps) {
  const environment = useEnvironment();
  return (
    <ConfirmDialog
      title={`Revoke key ${secret.name}`}
      action="Revoke key"
      isDangerous
      onClose={onClose}
      act={async (confirm) => {
        const ids = { env: environment.id, secret: secret.id };
        await request('POST environments/:env/secrets/:secret/revoke', { ...ids, body: confirm });
        await load(environment.id);
        return `Revoked key “${secret.name}”.`;
      }}
    >
      <p>
        Connections with <code>{secret.hint}…</code> are refused immediately, and open ones are closed. You cannot undo
        this.
      </p>
    </ConfirmDialog>
  );
}

function stateOf({ revokedAt }: Secret): 'active' | 'revoked' | 'ends' {
  if (revokedAt === undefined) return 'active';
  return Date.parse(revokedAt) <= Date.now() ? 'revoked' : 'ends';
}
