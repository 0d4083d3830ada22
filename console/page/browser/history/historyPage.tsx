import type { EnvironmentName } from '../../../api.ts';
import { Heading } from '../../../ui/heading.tsx';
import { ChangeList } from './changeList.tsx';

/** All changes of an environment. */
export function HistoryPage({ environment }: { readonly environment: EnvironmentName }) {
  return (
    <>
      <Heading
        title="History"
        lead="Who changed what, when and how. A change can be taken back unless a later one built on it."
      />
      <ChangeList environment={environment} title="Changes" />
    </>
  );
}
