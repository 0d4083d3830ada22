import { Time } from '../../../ui/time.tsx';
import { content } from '../state/content.ts';

/**
 * When a document was changed. One that is older than its environment was imported with its version, so that SDKs keep their place:
 * its age tells nothing about this environment.
 */
export function ChangedTime({ version }: { readonly version: number }) {
  const createdAt = content.value?.environment.createdAt;
  if (createdAt !== undefined && version < Date.parse(createdAt)) {
    return <span title={`Version of ${new Date(version).toLocaleString()}`}>imported</span>;
  }
  return (
    <>
      changed <Time at={version} />
    </>
  );
}
