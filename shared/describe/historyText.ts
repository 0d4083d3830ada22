const CONSOLE = 'console: ';
/** How many characters are kept of a longer command, without its reason of at most 200: the history keeps 1,000 of all. */
const KEPT = { first: 500, last: 250 };

/**
 * A command as the history stores it, with its reason. A long command is cut in the middle, because the source of a copy is
 * at its end.
 */
export function commandWithReason(command: string, reason: string | undefined): string {
  const isLong = command.length > KEPT.first + KEPT.last;
  const kept = isLong ? `${command.slice(0, KEPT.first)} … ${command.slice(-KEPT.last)}` : command;
  return reason ? `${kept} (${reason})` : kept;
}

/** What a console's command did, and its reason, which follows in parentheses. Names in quotes may contain parentheses. */
function splitReason(text: string): [done: string, reason?: string] {
  let from = 0;
  for (;;) {
    const [quote, bracket] = [text.indexOf('“', from), text.indexOf(' (', from)];
    if (bracket < 0 || !text.endsWith(')')) return [text];
    if (quote < 0 || bracket < quote) return [text.slice(0, bracket), text.slice(bracket + 2, -1)];
    from = text.indexOf('”', quote) + 1;
    if (from === 0) return [text];
  }
}

/**
 * How a change was made: by a command or in the console. The console's action is shown elsewhere. So only the source of a
 * copy, the change that an undo reverted, and the reason are added.
 */
export function commandText(command: string): string {
  const [step = ''] = STEP.exec(command) ?? [];
  const [ended = ''] = ENDED.exec(command.slice(Math.max(step.length, command.lastIndexOf(';')))) ?? [];
  const line = command.slice(step.length, command.length - ended.length);
  if (!line.startsWith(CONSOLE)) return command;
  const [done, reason] = splitReason(line.slice(CONSOLE.length));
  const shown = /^(undid|copied) /.test(done) ? `: ${done}` : '';
  return `${step}console${shown}${ended}${reason === undefined ? '' : ` — ${reason}`}`;
}

/** The step of a plan, before a command. */
const STEP = /^(?:step \d+ of \d+|undo of the applied steps): /;
/** `endedPlansText` of shared/plans, after a command. */
const ENDED = /^; ended (?:its plan|\d+ plans)$/;
