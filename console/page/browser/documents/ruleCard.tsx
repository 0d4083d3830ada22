import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatCondition } from '../../../../shared/describe/conditionText.ts';
import type { Condition } from '../../../../shared/flags/rule.ts';
import { Button } from '../../../ui/button.tsx';
import { segmentName } from '../state/content.ts';

interface RuleCardProps {
  readonly rule: { readonly name: string; readonly conditions: readonly Condition[] };
  /** From 1, of `count`. */
  readonly place: number;
  readonly count: number;
  readonly isFixed: boolean;
  readonly children?: ComponentChildren;
  readonly editId: string;
  readonly onEdit: () => void;
  readonly onMove: (place: number) => void;
  readonly onRemove: () => void;
}

/** A rule in words, with its actions. */
export function RuleCard(props: RuleCardProps) {
  const { rule, place, count, isFixed, children, editId, onEdit, onMove, onRemove } = props;
  const up = useRef<HTMLButtonElement>(null);
  const down = useRef<HTMLButtonElement>(null);
  /** Focuses the button that moved a rule. At an end it is disabled, and the other one gets the focus. */
  const pressed = useRef<HTMLButtonElement | null>(null);
  useLayoutEffect(() => {
    const [first, second] = pressed.current === up.current ? [up, down] : [down, up];
    if (pressed.current) (first.current?.disabled ? second : first).current?.focus();
    pressed.current = null;
  }, [place]);
  const mover = (text: string, direction: string, ref: typeof up, end: number, to: number) => (
    <Button
      text={text}
      kind="quiet"
      ref={ref}
      label={`Move ${rule.name} ${direction}`}
      disabled={place === end}
      onClick={() => {
        pressed.current = ref.current;
        onMove(to);
      }}
    />
  );
  return (
    <div class="rule">
      <header>
        <h3>
          <span class="place">{place}</span> {rule.name}
        </h3>
        {!isFixed && (
          <div class="actions">
            {mover('↑', 'up', up, 1, place - 1)}
            {mover('↓', 'down', down, count, place + 1)}
            <Button text="Edit" id={editId} kind="small" label={`Edit rule ${rule.name}`} onClick={onEdit} />
            <Button text="Remove" kind="small" label={`Remove rule ${rule.name}`} onClick={onRemove} />
          </div>
        )}
      </header>
      <ul class="conditions">
        {rule.conditions.length === 0 && <li>everyone</li>}
        {rule.conditions.map((condition, index) => (
          <li key={index}>
            <span class="word">{index === 0 ? 'if' : 'and'}</span>{' '}
            <code>{formatCondition(condition, segmentName.value)}</code>
          </li>
        ))}
      </ul>
      {children}
    </div>
  );
}
