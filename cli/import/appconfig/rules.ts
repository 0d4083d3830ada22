import { Untranslatable } from '../translation/values.ts';

/** A part of a rule. */
export interface Part {
  /** `(` is an expression, whose first item is its operator. `[` is a list. */
  readonly type: '(' | '[' | 'context' | 'text' | 'number' | 'boolean' | 'symbol';
  readonly value: string;
  readonly items: readonly Part[];
  /** Its name in the expression, such as `pct` in `pct::10`. Empty without one. */
  readonly name: string;
}

const TEXT = String.raw`"(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})|[^"\\\u0000-\u001f])*"`;
/** A mark, a name, a value, or the end. */
const TOKEN = new RegExp(String.raw`\s*(?:([()[\],])|([A-Za-z_]\w*)\s*::|(${TEXT}|[^\s()[\],"]+)|$)`, 'y');
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i;
/** Maximum number of nested parentheses. */
const DEPTH_LIMIT = 50;

/**
 * Parses a variant's rule, an s-expression of Amazon Ion.
 *
 * @throws {Untranslatable} for invalid syntax, and for values that are not supported, such as times
 */
export function parseRule(text: string): Part {
  const invalid = new Untranslatable(`the rule ${text.trim().slice(0, 80)}`);
  const open: (Omit<Part, 'items'> & { readonly items: Part[] })[] = [{ type: '(', value: '', items: [], name: '' }];
  let name = '';
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
    const [, mark, label, value] = TOKEN.exec(text) ?? [];
    const inner = open.at(-1);
    if (mark === '(' || mark === '[') {
      if (open.length > DEPTH_LIMIT)
        throw new Untranslatable(`a rule with more than ${DEPTH_LIMIT} nested parentheses`);
      open.push({ type: mark, value: '', items: [], name });
      name = '';
    } else if (mark === ')' || mark === ']') {
      const closed = open.pop();
      if (name !== '' || closed?.type !== (mark === ')' ? '(' : '[')) throw invalid;
      open.at(-1)?.items.push(closed);
    } else if (label !== undefined && name === '') {
      name = label;
    } else if (value !== undefined) {
      inner?.items.push({ ...readValue(value), items: [], name });
      name = '';
    } else if (TOKEN.lastIndex === 0 || label !== undefined || (mark === ',' && inner?.type !== '[')) {
      throw invalid;
    }
  }
  const [rule, ...others] = open[0]?.items ?? [];
  if (!rule || others.length > 0 || open.length !== 1 || name !== '') throw invalid;
  return rule;
}

function readValue(token: string): Pick<Part, 'type' | 'value'> {
  if (token.startsWith('"')) return { type: 'text', value: JSON.parse(token) as string };
  if (token === 'true' || token === 'false') return { type: 'boolean', value: token };
  // `$` and digits are a reference to one of Ion's symbols.
  if (/^\$[A-Za-z_$][\w$]*$/.test(token)) return { type: 'context', value: token.slice(1) };
  if (NUMBER.test(token)) return { type: 'number', value: token };
  if (/^[a-z_]+$/.test(token)) return { type: 'symbol', value: token };
  throw new Untranslatable(`the value ${token.slice(0, 40)}`);
}
