import { useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * Which form of a view is open. Once it is closed the focus goes back to what opened it: the element with this id, which is not there
 * meanwhile.
 */
export function useOpened(idOf: (name: string) => string) {
  const [opened, setOpened] = useState<string>();
  const last = useRef<string | undefined>(undefined);
  useLayoutEffect(() => {
    if (opened === undefined && last.current !== undefined) document.getElementById(idOf(last.current))?.focus();
    last.current = opened;
  }, [opened]);
  return [opened, setOpened] as const;
}
