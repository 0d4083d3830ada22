import { Option } from 'commander';
import { OPERATOR_WORDS } from '../shared/describe/conditionText.ts';
import { repeatable } from './command.ts';

/** The options of commands that add or change a rule. */
export interface RuleOptions {
  readonly if: string[];
  readonly name?: string;
  readonly position?: string;
}

/** The options of commands that add or change a percentage rollout. */
export interface RolloutOptions {
  readonly by?: string;
  readonly experiment: string[];
}

/** A rule matches if all of its conditions do. */
export const ifOption = () =>
  repeatable(
    '--if <condition>',
    `condition that must match: an attribute, one of ${OPERATOR_WORDS.join(' | ')}, and a value. Or "in segment <names>"`,
  );

export const nameOption = () => new Option('--name <name>', 'name of the rule; SDKs report it as the reason');

export const positionOption = () =>
  new Option('--position <position>', 'position among the rules, counted from 1 (default: last)');

export const rolloutOptions = (): Option[] => [
  new Option('--by <attribute>', 'attribute that users are split by, such as keyId or country'),
  repeatable(
    '--experiment <share>',
    'percentage of users who are in the experiment with a variation, such as true=5. No other users are in it',
  ),
];
