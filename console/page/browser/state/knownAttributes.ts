import { computed } from '@preact/signals';
import { isSegmentCondition } from '../../../../shared/flags/rule.ts';
import { flags, segments } from './content.ts';

/** What every user has, and what rules of the environment ask about. */
export const knownAttributes = computed(() => {
  const rules = [...flags.value, ...segments.value].flatMap(({ document }) => [...document.rules]);
  const asked = rules.flatMap(({ conditions }) =>
    conditions.filter((condition) => !isSegmentCondition(condition)).map(({ property }) => property),
  );
  return [...new Set(['keyId', 'name', ...asked.toSorted()])];
});
