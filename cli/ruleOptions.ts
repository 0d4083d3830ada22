import { Option } from 'commander';
import { OPERATOR_WORDS } from '../shared/evaluation/conditionText.ts';
import { repeatable } from './command.ts';

/** The options of commands that make or change a rule. */
export interface RuleOptions {
  readonly if: string[];
  readonly name?: string;
  readonly at?: string;
}

/** The options of commands that make or change a rollout. */
export interface RolloutOptions {
  readonly by?: string;
  readonly experiment: string[];
}

/** What a rule asks: all of its conditions must hold. */
export const ifOption = () =>
  repeatable(
    '--if <condition>',
    `condition that must hold: an attribute, one of ${OPERATOR_WORDS.join(' | ')}, and a value; or "in segment <names>"`,
  );

export const nameOption = () => new Option('--name <name>', 'name of the rule, which SDKs get as the reason');

export const placeOption = () =>
  new Option('--at <place>', 'place among the rules, counted from 1; the end if omitted');

export const rolloutOptions = (): Option[] => [
  new Option('--by <attribute>', 'attribute that assigns users to buckets, such as keyId or country'),
  repeatable(
    '--experiment <share>',
    'percentage of the users that are sent to the experiment with a variation, such as true=5; only these are from then on',
  ),
];
