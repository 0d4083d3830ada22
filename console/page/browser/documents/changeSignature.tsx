import { useState } from 'preact/hooks';
import type { EnvironmentName } from '../../../api.ts';
import { TextField } from '../../../ui/field.tsx';
import { confirmed, ProductionField } from './productionField.tsx';

/** The longest reason that the server takes. */
const REASON_CHARACTERS = 200;

/**
 * What every dialog asks before it changes an environment: a reason where the history keeps the change and, in production, the
 * environment's name.
 *
 * @param isInHistory whether it changes flags or segments
 * @returns the fields, whether the name is right, and what the body of the request says of both
 */
export function useChangeSignature(environment: EnvironmentName, isInHistory = true) {
  const [remark, setRemark] = useState('');
  const [typed, setTyped] = useState('');
  const { isConfirmed, confirm } = confirmed(environment, typed);
  const reason = remark.trim();
  return {
    isConfirmed,
    signature: { ...(reason === '' ? {} : { remark: reason }), ...confirm },
    fields: (
      <>
        {isInHistory && (
          <TextField
            label="Reason (optional, kept in history)"
            value={remark}
            onInput={(text) => setRemark(text.slice(0, REASON_CHARACTERS))}
          />
        )}
        <ProductionField environment={environment} typed={typed} onInput={setTyped} />
      </>
    ),
  };
}
