import { useState } from 'preact/hooks';
import type { EnvironmentName, EnvironmentSettings } from '../../../api.ts';
import { Badge } from '../../../ui/blocks.tsx';
import { TextField } from '../../../ui/field.tsx';
import { content } from '../state/content.ts';
import { context, useEnvironment } from '../state/session.ts';

const REASON_CHARACTERS = 200;

/**
 * The fields that each dialog shows before a change: a reason if the history keeps the change, and the environment's
 * name in production.
 *
 * @param isInHistory whether it changes flags or segments
 * @returns the fields, whether they are complete, and their values for the body of the request
 */
export function useChangeSignature(environment: EnvironmentName | EnvironmentSettings, isInHistory = true) {
  const [remark, setRemark] = useState('');
  const [typed, setTyped] = useState('');
  const { id, name, isProduction } = environment;
  const reason = remark.trim();
  const settings = 'requiresReason' in environment ? environment : content.value?.environment;
  const isRequired = isInHistory && settings?.id === id && settings.requiresReason;
  return {
    isConfirmed: (!isProduction || typed === name) && !(isRequired && reason === ''),
    signature: { ...(reason === '' ? {} : { remark: reason }), ...(isProduction ? { confirm: id } : {}) },
    fields: (
      <>
        {isInHistory && (
          <TextField
            label={`Reason (${isRequired ? 'required' : 'optional'}, kept in history)`}
            value={remark}
            onInput={(text) => setRemark(text.slice(0, REASON_CHARACTERS))}
          />
        )}
        {isProduction && (
          <div class="notice warning">
            <TextField
              label={`This is a production environment. Type “${name}” to confirm.`}
              value={typed}
              onInput={setTyped}
              problem={typed !== '' && typed !== name ? 'This does not match the name yet.' : undefined}
            />
          </div>
        )}
      </>
    ),
  };
}

/** The environment that a dialog changes, and who does it where several people can. */
export function ChangePlace() {
  const environment = useEnvironment();
  const { mode, by } = context.value ?? {};
  return (
    <p class="lead">
      In <b>{environment.name}</b>
      {environment.isProduction && ' '}
      {environment.isProduction && <Badge kind="warning">production</Badge>}
      {mode === 'aws' && `, as ${by}`}.
    </p>
  );
}
