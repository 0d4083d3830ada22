import { effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { route } from './route.ts';

/** How far an address was scrolled, and how many rows its list had. */
interface Place {
  readonly top: number;
  readonly rows: number;
}

/** Addresses that are remembered, and the name they are kept by in this tab. */
const KEPT = 50;
const NAME = 'places';

const places = new Map<string, Place>(JSON.parse(sessionStorage.getItem(NAME) ?? '[]'));
// The browser would scroll before the rows are there.
history.scrollRestoration = 'manual';
addEventListener('pagehide', () => sessionStorage.setItem(NAME, JSON.stringify([...places])));

let path = '';
effect(() => {
  const { envId, view, id } = route.value;
  const next = [envId, view, id].join('/');
  if (path !== '' && next !== path) scrollTo(0, 0);
  path = next;
});

/** Where somebody was when the present address was left. */
export function placeHere(): Place | undefined {
  return places.get(location.hash);
}

/** Comes back to where somebody was on this address, and notes where they are from then on. @param rows that are rendered */
export function useKeptPlace(rows: number): void {
  const current = useRef(rows);
  current.current = rows;
  useLayoutEffect(() => {
    const kept = placeHere();
    if (kept) scrollTo(0, kept.top);
    const note = () => {
      const address = location.hash;
      places.delete(address);
      places.set(address, { top: scrollY, rows: current.current });
      const [oldest = address] = places.keys();
      if (places.size > KEPT) places.delete(oldest);
    };
    addEventListener('scroll', note, { passive: true });
    return () => removeEventListener('scroll', note);
  }, []);
}
