import { useState } from 'preact/hooks';

/**
 * The text of a field that shows its problem while it is typed; an empty one, once the form was submitted.
 *
 * @param problemOf undefined for a text that can be used
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
