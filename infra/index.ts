/** What the npm package `flagwire-cdk` exports. */
export type { FlagwireProps } from './config/props.ts';
export {
  Flagwire,
  type FlagwireAttributes,
  type FlagwireServiceProps,
  type IFlagwire,
} from './constructs/flagwire.ts';
export { FlagwireHost, type FlagwireHostProps } from './constructs/flagwireHost.ts';
export { FlagwireTables, type FlagwireTablesProps } from './constructs/flagwireTables.ts';
export type { Outputs } from './constructs/outputs.ts';
