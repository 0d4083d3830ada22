import { type ComponentChildren, isValidElement, type VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { areFigures } from '../../shared/describe/areFigures.ts';

interface DataTableProps {
  readonly id?: string;
  readonly caption?: string | undefined;
  readonly head: readonly string[];
  /** The first cell is the heading of the row. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

/** A table with headings, figures at the right and words at the left, in a box that scrolls if the table is wider. */
export function DataTable({ id, caption, head, rows }: DataTableProps) {
  const box = useRef<HTMLDivElement>(null);
  const [isWide, setWide] = useState(false);
  useLayoutEffect(() => {
    const measure = () => box.current && setWide(box.current.scrollWidth > box.current.clientWidth);
    const observer = new ResizeObserver(measure);
    if (box.current) observer.observe(box.current);
    return () => observer.disconnect();
  }, [rows]);
  const isFigures = head.map((_, column) => column > 0 && areFigures(rows.map((row) => textOf(row[column]))));
  const kindOf = (column: number) => (isFigures[column] ? 'figure' : '');
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
                <th key={column} scope="col" class={kindOf(column)}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(([first, ...others], row) => (
              <tr key={row}>
                <th scope="row">{first}</th>
                {others.map((cell, column) => (
                  <td key={column} class={kindOf(column + 1)}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

/** The text of a cell, without that of components. */
function textOf(cell: ComponentChildren): string {
  if (Array.isArray(cell)) return cell.map(textOf).join('');
  if (isValidElement(cell)) return textOf((cell as VNode<{ children?: ComponentChildren }>).props.children);
  return typeof cell === 'string' || typeof cell === 'number' ? String(cell) : '';
}
