#!/usr/bin/env node
import packageJson from '../../package.json' with { type: 'json' };

/** The program of the npm package: `npx flagwire <command>`. Each command is a file next to this one, loaded if it is called. */
const COMMANDS: Readonly<Record<string, string>> = {
  start: 'run the whole service on this machine, with a table, two keys and example flags',
  flags: 'view and change flags, segments, environments and SDK keys',
  console: 'open the console of a deployment',
  host: 'run the service as one process',
  cost: 'compute what a workload costs a month on AWS',
  deploy: 'deploy the service to AWS with CloudFormation',
};

const HELP = `Usage: npx flagwire <command> [options]

Real-time feature flags for FeatBit's SDKs, on your machine and on AWS.

Commands:
${Object.entries(COMMANDS)
  .map(([name, about]) => `  ${name.padEnd(9)}${about}`)
  .join('\n')}

Options:
  --help, -h      print this text. After a command, print the command's options
  --version, -V   print the version

Exit code: that of the command, or 2 if there is no such command.

Examples:
  npx flagwire start
  npx flagwire flags toggle new-checkout`;

const [name = '--help'] = process.argv.slice(2);
if (Object.hasOwn(COMMANDS, name)) {
  process.argv.splice(2, 1);
  await import(new URL(`${name}.js`, import.meta.url).href);
} else if (['--help', '-h', 'help'].includes(name)) {
  console.log(HELP);
} else if (['--version', '-V'].includes(name)) {
  console.log(packageJson.version);
} else {
  console.error(`error: there is no command ${name}: npx flagwire --help lists the commands`);
  process.exitCode = 2;
}
