import { Time } from '../../../ui/time.tsx';
import { content } from '../state/content.ts';

interface ChangedTimeProps {
  readonly version: number;
  /** Whether a heading says already that it is about changes. */
  readonly isInColumn?: boolean;
}

/**
 * When a document was changed. One that is older than its environment was imported with its version, so that SDKs keep their place:
 * its age tells nothing about this environment.
 */
export function ChangedTime({ version, isInColumn = false }: ChangedTimeProps) {
  const createdAt = content.value?.environment.createdAt;
  if (createdAt !== undefined && version < Date.parse(createdAt)) {
    return <span title={`Version of ${new Date(version).toLocaleString()}`}>imported</span>;
  }
  const time = <Time at={version} />;
  return isInColumn ? time : <>changed {time}</>;
}
