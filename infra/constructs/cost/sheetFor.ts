import { Stack, Token } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { PriceSheet } from '../../../cost/prices/priceSheet.ts';
import { priceSheetOf, REGIONS } from '../../../cost/prices/sheets.ts';

/** The prices of a stack's region. Those of Northern Virginia if the region is unknown or has no sheet. */
export function sheetFor(scope: Construct): PriceSheet {
  const { region } = Stack.of(scope);
  const known = Token.isUnresolved(region) ? undefined : REGIONS.find((each) => each === region);
  return priceSheetOf(known ?? 'us-east-1');
}
