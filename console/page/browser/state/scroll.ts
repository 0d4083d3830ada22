import { effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { route } from './route.ts';

/** Scroll position of an address, and the number of rows of its list. */
interface Place {
  readonly top: number;
  readonly rows: number;
}

/** Maximum number of stored positions, and the key of the session storage. */
const KEPT = 50;
const NAME = 'places';

const places = new Map<string, Place>(JSON.parse(sessionStorage.getItem(NAME) ?? '[]'));
// The browser would scroll before the rows exist.
history.scrollRestoration = 'manual';
addEventListener('pagehide', () => sessionStorage.setItem(NAME, JSON.stringify([...places])));

let path = '';
effect(() => {
  const { envId, view, id } = route.value;
  const next = [envId, view, id].join('/');
  if (path !== '' && next !== path) scrollTo(0, 0);
  path = next;
});

/** The stored position of the current address. */
export function placeHere(): Place | undefined {
  return places.get(location.hash);
}

/** Restores the scroll position of this address, and stores it from then on. @param rows rendered rows */
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
