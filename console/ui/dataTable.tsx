import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { screenChanges } from './screen.ts';

interface DataTableProps {
  readonly id?: string;
  readonly caption?: string | undefined;
  readonly head: readonly string[];
  /** The first cell is the heading of the row. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** A table with headings, in a box that scrolls if the table is wider. */
export function DataTable({ id, caption, head, rows }: DataTableProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  useLayoutEffect(() => {
    if (box.current) setWide(box.current.scrollWidth > box.current.clientWidth);
  }, [rows, screenChanges.value]);
  return (
    <div class="data-table" id={id}>
      <p class="hint" hidden={!isWide}>
        More columns: scroll sideways →
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields */}
      <div ref={box} class="scroll" tabIndex={0} role="group" aria-label={caption ?? head.join(', ')}>
        <table>
          {caption !== undefined && <caption>{caption}</caption>}
          <thead>
            <tr>
              {head.map((name, column) => (
                <th key={column} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([first, ...figures], row) => (
              <tr key={row}>
                <th scope="row">{first}</th>
                {figures.map((figure, column) => (
                  <td key={column}>{figure}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
