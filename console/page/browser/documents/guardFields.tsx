import { useState } from 'preact/hooks';
import { TextField } from '../../../ui/field.tsx';
import { readGuards } from '../../logic/plans.ts';
import { messageOf, RequestFailure } from '../api/request.ts';

const ALARMS = 'guards';

/**
 * The guard fields of a new plan: alarms, and how long they watch the last step.
 *
 * @returns the fields, their values for the body of the request, whether these are valid, and a function that shows
 * the server's refusal
 */
export function useGuards() {
  const [alarms, setAlarms] = useState('');
  const [watch, setWatch] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const { guarding, problem } = readGuards(alarms, watch);
  return {
    guarding,
    isValid: problem === undefined,
    /** Shows a failure about guards. @returns false for other failures */
    takeFailure: (error: unknown): boolean => {
      if (!(error instanceof RequestFailure) || error.code !== 'guard-refused') return false;
      setRefusal(messageOf(error));
      document.getElementById(ALARMS)?.focus();
      return true;
    },
    fields: (
      <>
        <TextField
          id={ALARMS}
          label="Guards (optional)"
          rows={2}
          isCode
          hint="Names of CloudWatch alarms, one on each line. When one of them is in ALARM, the applied steps are undone and the plan is paused."
          problem={refusal}
          value={alarms}
          onInput={(text) => {
            setAlarms(text);
            setRefusal(undefined);
          }}
        />
        {guarding.guards && (
          <TextField
            label="Watch the last step for (optional)"
            isCode
            hint="30s, 30m, 2h or 1d. Guards can undo the last step for this time."
            problem={problem}
            value={watch}
            onInput={setWatch}
          />
        )}
      </>
    ),
  };
}
