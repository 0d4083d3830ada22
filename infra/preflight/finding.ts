/** Something that will not work in the account: one line, with the way out. */
export interface Finding {
  /** Whether AWS refuses the deployment; otherwise it succeeds and works less well. */
  readonly isRefused: boolean;
  readonly text: string;
}

/** A fact that could not be read, the permission it needs, and the error. */
export interface Unread {
  readonly what: string;
  readonly action: string;
  readonly error: Error;
}

/** Reads facts, and collects those that cannot be read. */
export function unreadCollector() {
  const unread: Unread[] = [];
  const read = <T>(what: string, action: string, reading: Promise<T>): Promise<T | undefined> =>
    reading.catch((error: Error) => {
      unread.push({ what, action, error });
      return undefined;
    });
  return { read, unread: unread as readonly Unread[] };
}

/** One line for each reason; missing permissions are named. */
export function describeUnread(unread: readonly Unread[], region: string): string[] {
  const byReason = new Map<string, Unread[]>();
  for (const each of unread) {
    const isDenied = /AccessDenied|Unauthorized|NotAuthorized/.test(each.error.name);
    const reason = isDenied ? 'denied' : `(${each.error.name}: ${each.error.message})`;
    byReason.set(reason, [...(byReason.get(reason) ?? []), each]);
  }
  return [...byReason].map(([reason, all]) => {
    const whats = all.map(({ what }) => what).sort();
    const actions = [...new Set(all.map(({ action }) => action))].sort();
    const why = reason === 'denied' ? `: the credentials lack ${actions.join(', ')}` : ` ${reason}`;
    return `Cannot read ${whats.join(', ')} in ${region}${why}. These limits were not checked.`;
  });
}
