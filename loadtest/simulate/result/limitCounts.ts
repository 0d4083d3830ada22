/** How often each limit refused somebody or made somebody wait. */
export class LimitCounts {
  readonly #counts = new Map<string, number>();

  add(limit: string, count = 1): void {
    this.#counts.set(limit, (this.#counts.get(limit) ?? 0) + count);
  }

  /** From the one that was met most often on. */
  get all(): readonly (readonly [limit: string, count: number])[] {
    return [...this.#counts].filter(([, count]) => count > 0).toSorted(([, a], [, b]) => b - a);
  }
}
