import { useState } from 'preact/hooks';
import type { EnvironmentName, IssuedSecret, Secret } from '../../../api.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/choice.tsx';
import { formatZoned } from '../../../ui/zoned.ts';
import { request } from '../api/request.ts';
import { ConfirmDialog } from '../documents/confirmDialog.tsx';
import { load } from '../state/content.ts';

interface SecretTableProps {
  readonly environment: EnvironmentName;
  readonly secrets: readonly Secret[];
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
export function SecretTable({ environment, secrets, onIssued }: SecretTableProps) {
  const [asked, setAsked] = useState<{ readonly secret: Secret; readonly what: 'rotate' | 'revoke' }>();
  const close = () => setAsked(undefined);
  return (
    <>
      <ul class="list">
        {secrets.map((secret) => {
          const state = stateOf(secret);
          return (
            <li key={secret.id} class={state === 'active' ? '' : 'over'}>
              <div class="list-main">
                <b>{secret.name}</b> <code>{secret.hint}…</code>
              </div>
              <div class="list-about">
                <Badge>{secret.type}</Badge> {state !== 'active' && <Badge kind="warning">{state}</Badge>}
                {secret.relay && <Badge>relay</Badge>}
              </div>
              {state !== 'revoked' && !secret.relay && (
                <div class="actions">
                  <Button
                    text="Rotate"
                    kind="small"
                    label={`Rotate key ${secret.name}`}
                    onClick={() => setAsked({ secret, what: 'rotate' })}
                  />
                  <Button
                    text="Revoke"
                    kind="small danger"
                    label={`Revoke key ${secret.name}`}
                    onClick={() => setAsked({ secret, what: 'revoke' })}
                  />
                </div>
              )}
            </li>
          );
        })}
      </ul>
      {asked?.what === 'rotate' && (
        <RotateDialog environment={environment} secret={asked.secret} onClose={close} onIssued={onIssued} />
      )}
      {asked?.what === 'revoke' && <RevokeDialog environment={environment} secret={asked.secret} onClose={close} />}
    </>
  );
}

interface SecretDialogProps {
  readonly environment: EnvironmentName;
  readonly secret: Secret;
  readonly onClose: () => void;
}

function RotateDialog({
  environment,
  secret,
  onClose,
  onIssued,
}: SecretDialogProps & Pick<SecretTableProps, 'onIssued'>) {
  const [graceMs, setGrace] = useState<string>(GRACES[0].value);
  return (
    <ConfirmDialog
      title={`Rotate key ${secret.name}`}
      action="Rotate key"
      environment={environment}
      onClose={onClose}
      act={async (confirm) => {
        const of = { env: environment.id, secret: secret.id };
        const body = { graceMs: Number(graceMs), ...confirm };
        onIssued([await request('POST environments/:env/secrets/:secret/rotate', { of, body })]);
        return `Rotated key “${secret.name}”.`;
      }}
    >
      <p>Creates a new key with the same name and type.</p>
      <ChoiceField label="Grace period for the old key" value={graceMs} options={GRACES} onChange={setGrace} />
    </ConfirmDialog>
  );
}

function RevokeDialog({ environment, secret, onClose }: SecretDialogProps) {
  return (
    <ConfirmDialog
      title={`Revoke key ${secret.name}`}
      action="Revoke key"
      isDangerous
      environment={environment}
      onClose={onClose}
      act={async (confirm) => {
        const of = { env: environment.id, secret: secret.id };
        await request('POST environments/:env/secrets/:secret/revoke', { of, body: confirm });
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

function stateOf({ revokedAt }: Secret): string {
  if (revokedAt === undefined) return 'active';
  const at = Date.parse(revokedAt);
  return at <= Date.now() ? 'revoked' : `revoked at ${formatZoned(at)}`;
}
