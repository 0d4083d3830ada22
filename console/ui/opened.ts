import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/** State of the open form of a view. On close, the focus returns to the element that opened it, found by its id. */
export function useOpened(idOf: (name: string) => string) {
  const [opened, setOpened] = useState<string>();
  const last = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (opened === undefined && last.current !== undefined) document.getElementById(idOf(last.current))?.focus();
    last.current = opened;
  }, [opened]);
  return { opened, open: setOpened, close: () => setOpened(undefined) };
}
