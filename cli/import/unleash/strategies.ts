import { roundNumber } from '../../../shared/flags/exactJson.ts';
import type { Condition } from '../../../shared/flags/rule.ts';
import { type Alternatives, allOf, isOneOf, isSet } from '../translation/conditions.ts';
import type { Note } from '../translation/differences.ts';
import { textIn, textOf, Untranslatable } from '../translation/values.ts';
import { contextProperty, readConstraint } from './constraints.ts';
import type { Strategy, Variant } from './format.ts';

/** A strategy: its conditions and its percentage. */
export interface Activation {
  readonly holds: Alternatives;
  /** The percentage of matching users, a whole number up to 100. */
  readonly percent: number;
  /** The attribute that splits users. Null for their key. */
  readonly dispatchKey: string | null;
  /** Strategies with the same group and stickiness select the same users. */
  readonly group: string;
  readonly variants: readonly Variant[];
}

/** Dependencies of translating a strategy: the lookup of segments, which refuses those that are not imported. */
export type SegmentOf = (segment: number) => Condition;

/** @throws {Untranslatable} for custom, address and random strategies, and for unsupported constraints */
export function readStrategy(strategy: Strategy, segmentOf: SegmentOf, note: Note): Activation {
  const { name, parameters, variants } = strategy;
  const constraints = strategy.constraints.map((constraint) => readConstraint(constraint, note));
  const segments = strategy.segments.map((segment): Alternatives => [[segmentOf(segment)]]);
  const holds = allOf([...constraints, ...segments]);
  const everybody = { holds, percent: 100, dispatchKey: null, group: '', variants };
  const group = textIn(parameters, 'groupId');
  switch (name) {
    case 'default':
      return everybody;
    case 'userWithId': {
      const ids = idsIn(textIn(parameters, 'userIds'));
      return { ...everybody, holds: allOf([holds, [[isOneOf('keyId', ids)]]]) };
    }
    case 'gradualRolloutUserId':
      return { ...everybody, percent: percentOf(parameters['percentage']), group };
    case 'gradualRolloutSessionId': {
      const percent = percentOf(parameters['percentage']);
      return { ...everybody, ...drawnBy('sessionId', holds), percent, group };
    }
    case 'flexibleRollout': {
      const stickiness = textIn(parameters, 'stickiness') || 'default';
      const percent = percentOf(parameters['rollout']);
      const drawn = drawnBy(stickinessKey(stickiness, note), holds);
      return { ...everybody, ...drawn, percent, group };
    }
    default:
      throw new Untranslatable(`the strategy ${name}`);
  }
}

/**
 * The attribute of a stickiness. Null for the user's key, which every user has here.
 *
 * @throws {Untranslatable} for random stickiness
 */
export function stickinessKey(stickiness: string, note: Note): string | null {
  if (stickiness === 'random') throw new Untranslatable('random stickiness');
  if (stickiness === 'default' || stickiness === 'userId') return null;
  return contextProperty(stickiness, note);
}

/** Users without the attribute are in no percentage. */
function drawnBy(dispatchKey: string | null, holds: Alternatives): Pick<Activation, 'dispatchKey' | 'holds'> {
  return { dispatchKey, holds: dispatchKey === null ? holds : allOf([holds, [[isSet(dispatchKey)]]]) };
}

/** Blanks around a comma are not part of an id. Blanks at both ends of the list are, as in Unleash. */
function idsIn(list: string): readonly string[] {
  return list.split(',').map((id, n, all) => {
    const start = n === 0 ? id : id.trimStart();
    return n === all.length - 1 ? start : start.trimEnd();
  });
}

/** Percentages are whole numbers. */
function percentOf(value: unknown): number {
  const given = roundNumber(value);
  const percent = typeof given === 'string' || typeof given === 'number' ? Math.floor(Number(given)) : Number.NaN;
  if (!Number.isFinite(percent)) throw new Untranslatable(`${textOf(value)} as a percentage`);
  return Math.min(100, Math.max(0, percent));
}
