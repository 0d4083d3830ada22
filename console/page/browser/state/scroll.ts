import { effect } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { route } from './route.ts';

/** Address and scroll position of the last shown list, and the number of its rows. */
let place: { readonly address: string; readonly top: number; readonly rows: number } | undefined;
// The browser would scroll before the rows exist.
history.scrollRestoration = 'manual';

let path = '';
effect(() => {
  const { envId, view, id } = route.value;
  const next = [envId, view, id].join('/');
  if (path !== '' && next !== path) scrollTo(0, 0);
  path = next;
});

/** The place of the list if it is shown again. */
export function placeHere() {
  return place?.address === location.hash ? place : undefined;
}

/** Restores the scroll position of a list, and notes it from then on. @param rows rendered rows */
export function useKeptPlace(rows: number): void {
  const current = useRef(rows);
  current.current = rows;
  useLayoutEffect(() => {
    const kept = placeHere();
    if (kept) scrollTo(0, kept.top);
    const note = () => {
      place = { address: location.hash, top: scrollY, rows: current.current };
    };
    addEventListener('scroll', note, { passive: true });
    return () => removeEventListener('scroll', note);
  }, []);
}
