import { roundNumber } from '../flags/exactJson.ts';
import { isJsonObject, type JsonObject } from '../flags/reader.ts';
import { field, parseUser, type UserDocument, userDocument } from '../flags/user.ts';
import { valueJson } from '../flags/variationValue.ts';

/** A user was served a variation. */
interface VariationInsight {
  readonly featureFlagKey: string;
  readonly variation: { readonly id: string; readonly value: string };
  readonly sendToExperiment: boolean;
  /** Unix milliseconds by the SDK's clock. */
  readonly timestamp: number;
}

/** A user triggered an event that an experiment measures. */
interface MetricInsight {
  readonly route: string;
  readonly type: string;
  readonly eventName: string;
  readonly numericValue: number;
  readonly appType: string;
  /** Unix milliseconds by the SDK's clock. */
  readonly timestamp: number;
}

/** An SDK's report about one user. */
export interface Insight {
  readonly user: UserDocument;
  readonly variations: readonly VariationInsight[];
  readonly metrics: readonly MetricInsight[];
}

/**
 * Parses the body of an insight request: an array with one element for each user. Like FeatBit, it drops elements
 * without a valid user and events without an identifier. It keeps the rest.
 *
 * @returns undefined if the body is not an array
 */
export function parseInsights(value: unknown): Insight[] | undefined {
  if (!Array.isArray(value)) return undefined;
  return value.filter(isJsonObject).flatMap((element): Insight[] => {
    const user = parseUser(field(element, 'user'));
    if (!user) return [];
    return [
      {
        user: userDocument(user),
        variations: objectsOf(element, 'variations').flatMap(readVariation),
        metrics: objectsOf(element, 'metrics').flatMap(readMetric),
      },
    ];
  });
}

function readVariation(event: JsonObject): VariationInsight[] {
  const featureFlagKey = field(event, 'featureFlagKey');
  const variation = field(event, 'variation');
  if (typeof featureFlagKey !== 'string' || !isJsonObject(variation)) return [];
  return [
    {
      featureFlagKey,
      variation: { id: textOf(variation, 'id'), value: textOf(variation, 'value') },
      sendToExperiment: field(event, 'sendToExperiment') === true,
      timestamp: numberOf(event, 'timestamp'),
    },
  ];
}

function readMetric(event: JsonObject): MetricInsight[] {
  const eventName = field(event, 'eventName');
  if (typeof eventName !== 'string') return [];
  return [
    {
      route: textOf(event, 'route'),
      type: textOf(event, 'type'),
      eventName,
      numericValue: numberOf(event, 'numericValue'),
      appType: textOf(event, 'appType'),
      timestamp: numberOf(event, 'timestamp'),
    },
  ];
}

function objectsOf(source: JsonObject, name: string): JsonObject[] {
  const value = field(source, name);
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

function textOf(source: JsonObject, name: string): string {
  const value = field(source, name);
  return typeof value === 'string' ? value : '';
}

/** A number, or a string with a JSON number. FeatBit reads both. 0 for anything else. */
function numberOf(source: JsonObject, name: string): number {
  const value = roundNumber(field(source, name));
  const number = typeof value === 'string' && valueJson('number', value) === value ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : 0;
}
