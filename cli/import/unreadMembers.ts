import { isJsonObject, type JsonObject } from '../../shared/flags/reader.ts';
import { counted } from '../text.ts';

const HOLDS_FLAGS = /flag|feature|toggle|segment|experiment/i;
const TOTAL = /^(total|count|total_?(count|items|size|results|flags|features|elements))$/i;
const OTHERS = /^(next|prev)|^has_?(more|next|prev)|cursor|continuation|page_?token/i;
const PAGES = /^(_?links|meta|page|page_?info|paging|pagination)$/i;

/**
 * What an import of a file would lose silently, as lines: members with flags that it does not read, and flags that are
 * not in the file.
 *
 * @param read paths of the members that are read, or that hold no flags
 */
export function unreadMembers(file: unknown, read: readonly string[], path = ''): string[] {
  if (!isJsonObject(file)) return [];
  const members = Object.entries(file).flatMap(([name, value]) => {
    const at = path + name;
    if (read.includes(at) || PAGES.test(name)) return [];
    if (read.some((known) => known.startsWith(`${at}.`))) return unreadMembers(value, read, `${at}.`);
    return holdsFlags(name, value)
      ? [`"${at}" (${counted(sizeOf(value), 'member')}), which the import does not read`]
      : [];
  });
  return [...members, ...(path === '' ? missingPages(file) : [])];
}

/** By its name or members: objects, or a list or an object with such a name. */
function holdsFlags(name: string, value: unknown): boolean {
  if (sizeOf(value) === 0) return false;
  const isNamed = HOLDS_FLAGS.test(name);
  return (
    isNamed ||
    Object.entries(value as object).some(
      ([key, part]) => isJsonObject(part) || (sizeOf(part) > 0 && HOLDS_FLAGS.test(key)),
    )
  );
}

/** The number of members. 0 for a value that has none. */
function sizeOf(value: unknown): number {
  return isJsonObject(value) || Array.isArray(value) ? Object.keys(value).length : 0;
}

/** What a response says of flags on other pages, or of flags that it omits. */
function missingPages(file: JsonObject): string[] {
  const advice = 'request all of them, such as with limit and offset';
  const most = Math.max(0, ...Object.values(file).map(sizeOf));
  const entries = Object.entries(file).flatMap(([member, value]) =>
    PAGES.test(member) && isJsonObject(value) ? Object.entries(value) : [[member, value] as const],
  );
  const [name, total] = entries.find(([member, value]) => TOTAL.test(member) && Number(value) > most) ?? [];
  if (name) return [`${Number(total) - most} more flags are on other pages ("${name}" is ${Number(total)}); ${advice}`];
  const other = entries.find(([member, value]) => OTHERS.test(member) && value);
  if (other) return [`more flags are on other pages ("${other[0]}"); ${advice}`];
  if (file['eventType'] !== 'patch') return [];
  return ['flags that did not change are not in the file ("eventType" is "patch"); request it without timestamp'];
}
