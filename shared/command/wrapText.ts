import stringWidth from 'string-width';

/** Characters of a line. */
const WIDTH = 100;

/** A text as indented lines that fit a terminal. A longer word is a line of its own. @param width characters of a line */
export function wrapText(text: string, indent: string, width = WIDTH): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === undefined || stringWidth(`${line} ${word}`) > width) lines.push(indent + word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** A command line as indented lines to copy: one that is too long continues on the next line before an option. */
export function wrapCommand(command: string, indent: string, width: number): string[] {
  const lines: string[] = [];
  for (const part of command.split(/ (?=--\w)/)) {
    const line = lines.at(-1);
    if (line === undefined) lines.push(indent + part);
    else if (line.length + part.length + 3 <= width) lines[lines.length - 1] = `${line} ${part}`;
    else lines.splice(-1, 1, `${line} \\`, `${indent}  ${part}`);
  }
  return lines;
}
