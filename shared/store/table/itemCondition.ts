import { attributesOf, type Values } from './attributes.ts';

/** What must hold of the stored item. In expressions, `:name` is a value, and `#name` is an attribute whose name is reserved. */
export interface Condition {
  readonly condition?: string;
  readonly values?: Values;
  /** The attributes that expressions name with `#`. */
  readonly reserved?: readonly string[];
}

/** The condition that there is no item. */
export const IS_NEW: Condition = { condition: 'attribute_not_exists(pk)' };

/** A condition as parameters of a request. */
export function conditionOf({ condition, values = {}, reserved = [] }: Condition) {
  const given = Object.entries(attributesOf(values)).map(([name, value]) => [`:${name}`, value]);
  return {
    ...(condition === undefined ? {} : { ConditionExpression: condition }),
    ...(reserved.length === 0
      ? {}
      : { ExpressionAttributeNames: Object.fromEntries(reserved.map((name) => [`#${name}`, name])) }),
    ...(given.length === 0 ? {} : { ExpressionAttributeValues: Object.fromEntries(given) }),
  };
}
