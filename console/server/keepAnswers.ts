/**
 * Caches answers, because several pages read the same. Failures are not cached.
 *
 * @param keptMs cache duration, in milliseconds
 * @param max number of cached answers. The oldest is dropped
 */
export function keepAnswers<T>(keptMs: number, max: number) {
  const kept = new Map<string, { readonly at: number; readonly answer: Promise<T> }>();
  return (key: string, now: number, read: () => Promise<T>): Promise<T> => {
    const known = kept.get(key);
    if (known && now - known.at < keptMs) return known.answer;
    const answer = read();
    kept.delete(key);
    kept.set(key, { at: now, answer });
    answer.catch(() => kept.delete(key));
    const [oldest = key] = kept.keys();
    if (kept.size > max) kept.delete(oldest);
    return answer;
  };
}
