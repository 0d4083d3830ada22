import { useState } from 'preact/hooks';
import type { EnvironmentName, EnvironmentSettings } from '../../../api.ts';
import { TextField } from '../../../ui/field.tsx';
import { content } from '../state/content.ts';
import { context } from '../state/session.ts';

/** Maximum length of a reason. */
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
  const { isConfirmed, confirm } = confirmed(environment, typed);
  const reason = remark.trim();
  const settings = 'requiresReason' in environment ? environment : content.value?.environment;
  const isRequired = isInHistory && settings?.id === environment.id && settings.requiresReason;
  return {
    isConfirmed: isConfirmed && !(isRequired && reason === ''),
    signature: { ...(reason === '' ? {} : { remark: reason }), ...confirm },
    fields: (
      <>
        {isInHistory && (
          <TextField
            label={`Reason (${isRequired ? 'required' : 'optional'}, kept in history)`}
            value={remark}
            onInput={(text) => setRemark(text.slice(0, REASON_CHARACTERS))}
          />
        )}
        <ProductionField environment={environment} typed={typed} onInput={setTyped} />
      </>
    ),
  };
}

/** The environment that a dialog changes, and the operator. */
export function ChangePlace({ environment }: { readonly environment: EnvironmentName }) {
  return (
    <p class="lead">
      In <b>{environment.name}</b>
      {environment.isProduction && (
        <>
          {' '}
          <span class="badge warning">production</span>
        </>
      )}
      , as {context.value?.by}.
    </p>
  );
}

interface ProductionFieldProps {
  readonly environment: EnvironmentName;
  readonly typed: string;
  readonly onInput: (text: string) => void;
}

/** Asks for the name of a production environment, to prevent accidental changes. */
function ProductionField({ environment: { name, isProduction }, typed, onInput }: ProductionFieldProps) {
  if (!isProduction) return null;
  return (
    <div class="notice warning">
      <TextField
        label={`This is a production environment. Type “${name}” to confirm.`}
        value={typed}
        onInput={onInput}
        problem={typed !== '' && typed !== name ? 'This does not match the name yet.' : undefined}
      />
    </div>
  );
}

/** Checks the confirmation, and returns it for the server. */
function confirmed({ id, name, isProduction }: EnvironmentName, typed: string) {
  return { isConfirmed: !isProduction || typed === name, confirm: isProduction ? { confirm: id } : {} };
}
