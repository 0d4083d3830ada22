/** What `JSON.parse` does not keep of a text, by path. */
export interface LostKeys {
  /** Members with the key of a later one in the same object. `JSON.parse` keeps the last. */
  readonly repeated: readonly string[];
  /** Objects whose members change places. JavaScript lists keys that are whole numbers first. */
  readonly moved: readonly string[];
}

const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;
const INDEX = /^(0|[1-9]\d{0,9})$/;

interface Container {
  readonly path: string;
  /** The keys of an object so far. Undefined for an array. */
  readonly keys: Set<string> | undefined;
  /** The key or index of the current member. */
  at: string;
}

/** Finds the keys that `JSON.parse` drops or moves. @param text valid JSON */
export function lostKeys(text: string): LostKeys {
  const repeated = new Set<string>();
  const moved = new Set<string>();
  const containers: Container[] = [];
  let string = '';
  for (const [token] of text.matchAll(TOKENS)) {
    const current = containers.at(-1);
    if (token === '{' || token === '[') {
      const path = current ? memberPath(current) : '';
      containers.push({ path, keys: token === '{' ? new Set() : undefined, at: '0' });
    } else if (token === '}' || token === ']') {
      containers.pop();
    } else if (token === ',') {
      if (current && !current.keys) current.at = String(Number(current.at) + 1);
    } else if (token !== ':') {
      string = token;
    } else if (current?.keys) {
      const key: string = JSON.parse(string);
      const before = current.at;
      current.at = key;
      if (current.keys.has(key)) repeated.add(memberPath(current));
      else if (INDEX.test(key) && current.keys.size > 0 && !(INDEX.test(before) && Number(before) < Number(key))) {
        moved.add(current.path);
      }
      current.keys.add(key);
    }
  }
  return { repeated: [...repeated], moved: [...moved] };
}

function memberPath({ path, keys, at }: Container): string {
  if (!keys) return `${path}[${at}]`;
  return path === '' ? at : `${path}.${at}`;
}
