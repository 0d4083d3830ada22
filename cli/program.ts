import { Command, CommanderError } from 'commander';
import packageJson from '../package.json' with { type: 'json' };
import { commandName } from '../shared/command/npmCommand.ts';
import { InvalidSyntax } from '../shared/flags/invalidInput.ts';
import { printableJson } from '../shared/protocol/printable.ts';
import { useNamedRegion } from '../shared/runtime/awsRegion.ts';
import { type Effects, systemEffects } from '../shared/runtime/effects.ts';
import { ownCommand } from '../shared/runtime/ownCommand.ts';
import { describeStoreError } from '../shared/store/table/describeStoreError.ts';
import { CommandMaker } from './command.ts';
import { addCopyCommand } from './commands/copyCommands.ts';
import { addDeleteCommands } from './commands/deleteCommands.ts';
import { addEnvironmentCommands } from './commands/environmentCommands.ts';
import { addEvaluateCommand } from './commands/evaluateCommand.ts';
import { addExportCommand } from './commands/exportCommand.ts';
import { addFlagCommands } from './commands/flagCommands.ts';
import { addHistoryCommands } from './commands/historyCommands.ts';
import { addImportCommand } from './commands/importCommands.ts';
import { addListCommand } from './commands/listCommand.ts';
import { addPlanCommands } from './commands/planCommands.ts';
import { addReceiptCommands } from './commands/receiptCommands.ts';
import { addRuleCommands } from './commands/ruleCommands.ts';
import { addSecretCommands } from './commands/secretCommands.ts';
import { addSegmentCommands } from './commands/segmentCommands.ts';
import { addShowCommand } from './commands/showCommand.ts';
import { addTargetingCommands } from './commands/targetingCommands.ts';
import { addTierCommand } from './commands/tierCommand.ts';
import { addUsageCommands } from './commands/usageCommands.ts';
import { addCompletionCommands } from './completion.ts';
import { addHelp, HELP_SETTINGS, suggestion } from './help.ts';
import { CliError, type Io, oneLine, terminalIo, UsageError } from './io.ts';

/**
 * Runs one command line.
 *
 * @param argv the words after the program's name
 * @param effects clock, randomness and waiting of the store; this machine's by default
 * @returns the exit code: 0 for success, 1 for failure, 2 for invalid arguments. With `--exit-code`, 2 also for failure
 */
export async function run(argv: readonly string[], given: Io, effects: Effects = systemEffects): Promise<number> {
  // Names may come from any writer of the table, or from a file. They must not control the terminal.
  const io = terminalIo(given);
  useNamedRegion();
  const commands = new CommandMaker(io, argv, effects);
  const program = createProgram(io, commands);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return commands.exitCode;
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.code === 'commander.unknownCommand') {
        io.err(`Usage: ${ownCommand('flags', '<command> [options]')}\nAll commands: ${ownCommand('flags', 'help')}`);
      }
      return error.exitCode === 0 ? 0 : 2;
    }
    const lines = [describeStoreError(error), ...(error instanceof CliError ? error.details : [])];
    const text = (shown: (line: string) => string) => lines.map(shown).join('\n  ');
    const isJson = argv.includes('--json');
    io.err(isJson ? printableJson(JSON.stringify({ error: text(String) })) : `error: ${text(oneLine)}`);
    if (process.env['DEBUG']) io.err(String((error as Error).stack));
    return error instanceof UsageError || error instanceof InvalidSyntax ? 2 : commands.failureCode;
  }
}

/** The command line with all its commands. */
export function createProgram(io: Io, commands: CommandMaker): Command {
  const program = new Command(commandName('flags')).description(
    'Change flags, segments, environments and SDK keys of Flagwire.',
  );
  program.showSuggestionAfterError().version(packageJson.version).configureHelp(HELP_SETTINGS);
  program.exitOverride().configureOutput({
    writeOut: (text) => io.out(text.trimEnd()),
    writeErr: (text) => io.err(text.trimEnd()),
    outputError: (text, write) => {
      const [, said, word = ''] = /^(error: unknown command '(.*)')/.exec(text) ?? [];
      const group = program.commands.find((each) => each.name() === program.args[0]);
      write(said ? said + suggestion(group ?? program, word) : text);
    },
  });
  program.commandsGroup('Flags:');
  addListCommand(program, commands);
  addShowCommand(program, commands);
  addFlagCommands(program, commands);
  program.commandsGroup('Targeting:');
  addRuleCommands(program, commands);
  addTargetingCommands(program, commands);
  const segment = addSegmentCommands(program, commands);
  program.commandsGroup('Flags:');
  addDeleteCommands(program, segment, commands);
  program.commandsGroup('Releases:');
  addPlanCommands(program, commands);
  addHistoryCommands(program, commands);
  addReceiptCommands(program, commands);
  program.commandsGroup('Insight:');
  addEvaluateCommand(program, commands);
  addUsageCommands(program, commands);
  program.commandsGroup('Environments and keys:');
  addEnvironmentCommands(program, commands);
  addCopyCommand(program, commands);
  addImportCommand(program, commands);
  addExportCommand(program, commands);
  addSecretCommands(program, commands);
  addTierCommand(program, commands);
  addCompletionCommands(program, commands, io);
  addHelp(program, io);
  return program;
}
