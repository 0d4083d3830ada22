import { useState } from 'preact/hooks';

/**
 * State of a field that shows its problem while the user types, and the problem of an empty text after submit.
 *
 * @param problemOf undefined for a valid text
 * @returns the text, attributes of its `TextField`, and a check that shows the problem
 */
export function useCheckedField(problemOf: (text: string) => string | undefined) {
  const [value, onInput] = useState('');
  const [isAsked, setAsked] = useState(false);
  const problem = problemOf(value);
  const isValid = () => {
    setAsked(true);
    return problem === undefined;
  };
  return { value, isValid, field: { value, onInput, isFirst: true, problem: value || isAsked ? problem : undefined } };
}
