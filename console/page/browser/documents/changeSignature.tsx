import { useState } from 'preact/hooks';
import type { EnvironmentName, EnvironmentSettings } from '../../../api.ts';
import { TextField } from '../../../ui/field.tsx';
import { content } from '../state/content.ts';
import { confirmed, ProductionField } from './productionField.tsx';

/** The longest reason that the server takes. */
const REASON_CHARACTERS = 200;

/**
 * What every dialog asks before it changes an environment: a reason where the history keeps the change and, in production, the
 * environment's name.
 *
 * @param isInHistory whether it changes flags or segments
 * @returns the fields, whether the name is right and a required reason is there, and what the body of the request says of both
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
