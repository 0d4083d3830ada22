import { useEffect, useRef, useState } from 'preact/hooks';

/** How many rows are rendered at first, and are added each time the end of them comes near. */
const ROWS = 100;
const NEAR = '0px 0px 800px 0px';

/**
 * Renders the rows of a long list as somebody scrolls to them: thousands at once take seconds.
 *
 * @param total rows that the list has
 * @param first rows that are rendered at first
 * @returns how many rows to render, and the ref of an element below them
 */
export function useRowsOnDemand(total: number, first = ROWS) {
  const [rows, setRows] = useState(first);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!end.current || rows >= total) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) setRows(rows + ROWS);
      },
      { rootMargin: NEAR },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [rows, total]);
  return { rows, end };
}
