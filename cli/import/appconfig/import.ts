import type { JsonObject } from '../../../shared/flags/reader.ts';
import type { Note } from '../translation/differences.ts';
import { everybody, type RuleContent } from '../translation/trafficSplit.ts';
import { type FlagContent, type Translation, Translator } from '../translation/translator.ts';
import { Untranslatable } from '../translation/values.ts';
import { readCondition } from './conditions.ts';
import { type AppConfigFlag, readFlag, readFlagSet } from './format.ts';
import { parseRule } from './rules.ts';
import { followSplits } from './splits.ts';

/**
 * Reads feature flags of AWS AppConfig. Each flag has the state and the attributes that AWS AppConfig's agent answers
 * for the same context, or a listed difference.
 *
 * @throws {WrongForm} for any other file
 */
export function importFromAppConfig(file: unknown): Translation {
  const translator = new Translator();
  for (const parts of readFlagSet(file)) translator.flag(parts.key, (note) => translate(readFlag(parts), note));
  return translator;
}

function translate(flag: AppConfigFlag, note: Note): FlagContent {
  const { name, description, isJson, isEnabled, attributes } = flag;
  if (flag.hasAttributes) note({ cause: 'constraints' });
  const variation = (id: string, isOn: boolean, values: JsonObject) => ({
    id,
    name: id,
    // The agent omits the attributes of what is off.
    value: isJson ? JSON.stringify({ enabled: isOn, ...(isOn && values) }) : String(isOn),
  });
  const variationType = isJson ? 'json' : 'boolean';
  const common = { name: name || undefined, description, variationType } as const;
  if (!flag.hasVariants) {
    const [on, off] = isJson ? ['on', 'off'] : ['true', 'false'];
    const variations = [variation(on, true, attributes), variation(off, false, {})];
    return { ...common, variations, rules: [], isEnabled, disabledVariationId: off, fallthrough: everybody(on) };
  }
  const last = flag.variants.at(-1);
  if (last?.rule !== '' || flag.variants.filter(({ rule }) => rule === '').length > 1)
    throw new Untranslatable('variants of which not only the last has no rule');
  const alternatives = flag.variants.slice(0, -1).flatMap(({ name: id, rule }) => {
    return readCondition(parseRule(rule), false, note).map((conditions) => ({ id, conditions }));
  });
  // The last rule has no conditions, and is the default.
  const rules = followSplits(alternatives, last.name);
  const fallthrough = rules.at(-1) as RuleContent;
  return {
    ...common,
    variations: flag.variants.map((each) => variation(each.name, each.isEnabled, each.attributes)),
    rules: rules.slice(0, -1),
    isEnabled,
    disabledVariationId: (flag.variants.findLast((each) => !each.isEnabled) ?? last).name,
    fallthrough: { dispatchKey: fallthrough.dispatchKey, variations: fallthrough.variations },
  };
}
