import { computed } from '@preact/signals';
import { isSegmentCondition } from '../../../../shared/flags/rule.ts';
import { flags, segments } from './content.ts';

/** Built-in attributes, and attributes in rules of the environment. */
export const knownAttributes = computed(() => {
  const rules = [...flags.value, ...segments.value].flatMap(({ document }) => [...document.rules]);
  const asked = rules.flatMap(({ conditions }) =>
    conditions.filter((condition) => !isSegmentCondition(condition)).map(({ property }) => property),
  );
  return [...new Set(['keyId', 'name', ...asked.toSorted()])];
});
