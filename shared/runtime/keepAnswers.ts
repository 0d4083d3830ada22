/**
 * Caches answers, because several callers ask the same.
 *
 * @param keptMs cache duration, in milliseconds
 * @param max number of cached answers. The oldest is dropped
 * @param failedMs cache duration of failures, in milliseconds, from the end of the read
 * @param clock unix milliseconds at the end of a read. Needed with `failedMs`
 */
export function keepAnswers<T>(keptMs: number, max: number, failedMs = 0, clock = () => 0) {
  const kept = new Map<string, { readonly at: number; until: number; readonly answer: Promise<T> }>();
  return (key: string, now: number, read: () => Promise<T>): Promise<T> => {
    const known = kept.get(key);
    // A clock that was set back must not extend an answer.
    if (known && known.at <= now && now < known.until) return known.answer;
    const asked = { at: now, until: now + keptMs, answer: read() };
    kept.delete(key);
    kept.set(key, asked);
    asked.answer.catch(() => {
      asked.until = Math.max(now, clock()) + failedMs;
      if (failedMs === 0 && kept.get(key) === asked) kept.delete(key);
    });
    const [oldest = key] = kept.keys();
    if (kept.size > max) kept.delete(oldest);
    return asked.answer;
  };
}
