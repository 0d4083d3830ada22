/** The exports of the npm package `flagwire-cdk`. */
export type { AddToOptions, FlagsAccess, FlagsTableAttributes } from './constructs/flagsAccess.ts';
export { Flagwire, type FlagwireProps } from './constructs/flagwire.ts';
export type { FlagwireAttributes, FlagwireBase as IFlagwire } from './constructs/flagwireBase.ts';
export { FlagwireHost, type FlagwireHostProps } from './constructs/flagwireHost.ts';
export { FlagwireTables, type FlagwireTablesProps } from './constructs/flagwireTables.ts';
export type { Outputs } from './constructs/outputs.ts';
