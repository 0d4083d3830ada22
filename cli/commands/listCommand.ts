import { type Command, Option } from 'commander';
import { servedText } from '../../shared/describe/servedText.ts';
import { hasWords } from '../../shared/flags/document.ts';
import { type Flag, VARIATION_TYPES, type VariationType } from '../../shared/flags/flag.ts';
import { type CommandMaker, repeatable } from '../command.ts';
import type { Session } from '../session.ts';
import { counted, formatTable } from '../text.ts';

const STATES = ['on', 'off', 'archived'] as const;
type State = (typeof STATES)[number];

interface ListOptions {
  readonly search?: string;
  readonly tag: readonly string[];
  readonly state?: State;
  readonly type?: VariationType;
  readonly archived?: boolean;
}

/** `list`: the flags of an environment, with optional filters. */
export function addListCommand(program: Command, commands: CommandMaker): void {
  commands.add<ListOptions>(program, 'list', 'list flags: all, or those that match every option', listFlags, [
    new Option('--search <text>', 'flags with all of these words in their key, name, description or tags'),
    repeatable('--tag <tag>', 'flags with this tag'),
    new Option('--state <state>', 'flags in this state').choices(STATES),
    new Option('--type <type>', 'flags of this type').choices(VARIATION_TYPES),
    new Option('--archived', 'include archived flags'),
  ]);
}

async function listFlags(session: Session, _args: readonly string[], options: ListOptions): Promise<void> {
  const { name } = await session.environment();
  const all = await session.documents<Flag>('flag');
  const flags = all.filter((flag) => isWanted(flag, options));
  session.progress(`${counted(flags.length, 'flag')} in ${name}`);
  const rows = flags.map((flag) => [
    flag.key,
    stateOf(flag),
    servedText(flag),
    flag.name === flag.key ? '' : flag.name,
    flag.variationType,
    flag.tags,
    session.time(Date.parse(flag.updatedAt)),
  ]);
  const isFiltered = options.search !== undefined || options.tag.length > 0 || options.state || options.type;
  const none = isFiltered ? 'no flag matches' : 'there are no flags';
  const head = ['flag', 'state', 'serves', 'name', 'type', 'tags', 'changed'];
  session.result(flags, formatTable(head, rows, none, ['changed', 'type', 'name', 'tags']));
}

function isWanted(flag: Flag, { search = '', tag, state, type, archived = false }: ListOptions): boolean {
  if (state === undefined ? flag.isArchived && !archived : stateOf(flag) !== state) return false;
  if (type !== undefined && flag.variationType !== type) return false;
  return tag.every((each) => flag.tags.includes(each)) && hasWords({ kind: 'flag', document: flag }, search);
}

function stateOf({ isArchived, isEnabled }: Pick<Flag, 'isArchived' | 'isEnabled'>): State {
  if (isArchived) return 'archived';
  return isEnabled ? 'on' : 'off';
}
