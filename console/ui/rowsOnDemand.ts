import { useEffect, useRef, useState } from 'preact/hooks';

/** Number of rows rendered at first, and added when their end comes near. */
const ROWS = 100;
const NEAR = '0px 0px 800px 0px';

/**
 * Renders the rows of a long list on scroll, because thousands at once take seconds.
 *
 * @param total number of rows
 * @param first number of rows at first
 * @returns the number of rows to render, and the ref of an element below them
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
