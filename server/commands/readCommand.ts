// What the gateway's program is asked to do, by its arguments alone: what it cannot be asked is said before anything is opened.
import { helpText } from '../config/help.ts';
import { ADMIN_USAGE, type AdminCommand, readAdminCommand } from './admin.ts';
import { type BackupCommand, readRestore } from './backupCommand.ts';
import { EXIT_WRONG_ARGUMENTS, readArguments } from './readArguments.ts';

export type Command =
  | { readonly kind: 'start' }
  | { readonly kind: 'admin'; readonly command: AdminCommand }
  | { readonly kind: 'backup'; readonly command: BackupCommand }
  /** Help, or what is wrong. */
  | { readonly kind: 'say'; readonly text: string; readonly exitCode: number };

export function readCommand(args: readonly string[]): Command {
  return args[0] === 'admin' ? readAdmin(args.slice(1)) : readStart(args);
}

function readStart(args: readonly string[]): Command {
  const result = readArguments({ args: [...args], options: { help: { type: 'boolean', short: 'h' } } });
  if (result.ok) return result.read.values.help === true ? say(helpText()) : { kind: 'start' };
  return wrong(
    `${result.reason} The gateway takes no arguments; \`npm start -- --help\` lists what is set in the environment.`,
  );
}

function readAdmin(args: readonly string[]): Command {
  if (args.some((arg) => arg === '--help' || arg === '-h')) return say(`${ADMIN_USAGE}\n`);
  if (args[0] === 'restore') {
    const read = readRestore(args.slice(1));
    return read.ok ? { kind: 'backup', command: read.command } : wrong(`${read.reason} ${ADMIN_USAGE}`);
  }
  const command = readAdminCommand(args);
  if (command !== undefined) return 'file' in command ? { kind: 'backup', command } : { kind: 'admin', command };
  if (args.length === 0) return wrong(ADMIN_USAGE);
  return wrong(`There is no command "${args.join(' ')}". ${ADMIN_USAGE}`);
}

function say(text: string): Command {
  return { kind: 'say', text, exitCode: 0 };
}

function wrong(sentence: string): Command {
  return { kind: 'say', text: `${sentence}\n`, exitCode: EXIT_WRONG_ARGUMENTS };
}
