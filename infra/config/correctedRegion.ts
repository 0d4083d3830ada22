import { RegionInfo } from 'aws-cdk-lib/region-info';
import { nearest } from '../../shared/flags/nearest.ts';

/** The region with the most similar name to one that CDK does not know, such as a misspelt or a new one. Undefined if CDK knows it. */
export function correctedRegion(region: string): string | undefined {
  const known = RegionInfo.regions.map(({ name }) => name);
  return known.includes(region) ? undefined : nearest(region, known);
}
