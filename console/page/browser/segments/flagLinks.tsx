import { Fragment } from 'preact';
import { linkTo } from '../state/route.ts';

interface FlagLinksProps {
  readonly keys: readonly string[];
  /** Shown without a key. */
  readonly none: string;
}

/** Links to flags, separated by commas. */
export function FlagLinks({ keys, none }: FlagLinksProps) {
  if (keys.length === 0) return <>{none}</>;
  return keys.map((key, index) => (
    <Fragment key={key}>
      {index > 0 && ', '}
      <a href={linkTo('flags', key)}>{key}</a>
    </Fragment>
  ));
}
