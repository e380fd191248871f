import { describe, expect, it } from 'vitest';
import { DEFAULT_CHOICES } from '../../../../server/backup/restore/restoreChoices.ts';
import { ADMIN_USAGE } from '../../../../server/commands/admin.ts';
import { readCommand } from '../../../../server/commands/readCommand.ts';
import { helpText } from '../../../../server/config/help.ts';

const START_ADVICE = 'The gateway takes no arguments; `npm start -- --help` lists what is set in the environment.\n';

describe('what the gateway is asked to do', () => {
  it('is to start when nothing is said', () => {
    expect(readCommand([])).toEqual({ kind: 'start' });
  });

  it.each(['reset-password', 'reset-second-factor'])('is to do for a user what %s says', (kind) => {
    expect(readCommand(['admin', kind, 'ann'])).toEqual({ kind: 'admin', command: { kind, name: 'ann' } });
  });

  it.each(['backup', 'verify'] as const)('is to %s a file', (kind) => {
    expect(readCommand(['admin', kind, 'a.fgb'])).toEqual({ kind: 'backup', command: { kind, file: 'a.fgb' } });
  });

  it.each([
    [[], {}],
    [['--dry-run'], { isDryRun: true }],
    [['--without-backup'], { makesBackup: false }],
    [['--discard', 'passwords,history'], { choices: { ...DEFAULT_CHOICES, passwords: false, history: false } }],
  ])('is to restore a file with %j', (options, expected) => {
    const restore = { kind: 'restore', file: 'a.fgb', isDryRun: false, makesBackup: true, choices: DEFAULT_CHOICES };
    const command = { ...restore, ...expected };
    expect(readCommand(['admin', 'restore', 'a.fgb', ...options])).toEqual({ kind: 'backup', command });
    expect(readCommand(['admin', 'restore', ...options, 'a.fgb'])).toEqual({ kind: 'backup', command });
  });

  it.each([
    [['--help'], helpText()],
    [['-h'], helpText()],
    [['admin', '--help'], `${ADMIN_USAGE}\n`],
  ])('is to explain itself by %j', (args, text) => {
    expect(readCommand(args)).toEqual({ kind: 'say', text, exitCode: 0 });
  });

  it.each([
    [['--x'], `Unknown option '--x'. ${START_ADVICE}`],
    [['--port', '80'], `Unknown option '--port'. ${START_ADVICE}`],
    [['now'], `Unexpected argument 'now'. ${START_ADVICE}`],
    [['--help=yes'], `Option '-h, --help' does not take an argument. ${START_ADVICE}`],
    [['admin'], `${ADMIN_USAGE}\n`],
    [['admin', 'reset-password'], `There is no command "reset-password". ${ADMIN_USAGE}\n`],
    [['admin', 'reset-password', 'a', 'b'], `There is no command "reset-password a b". ${ADMIN_USAGE}\n`],
    [['admin', 'restore'], `restore takes one file. ${ADMIN_USAGE}\n`],
    [['admin', 'restore', 'a', 'b'], `restore takes one file. ${ADMIN_USAGE}\n`],
    [['admin', 'restore', 'a', '--force'], `Unknown option '--force'. ${ADMIN_USAGE}\n`],
    [
      ['admin', 'restore', 'a', '--discard', 'audit'],
      `--discard takes a list of disabled, passwords, links, history, with commas. ${ADMIN_USAGE}\n`,
    ],
    [['admin', 'help'], `There is no command "help". ${ADMIN_USAGE}\n`],
  ])('is nothing that %j says, and one line says so', (args, text) => {
    expect(readCommand(args)).toEqual({ kind: 'say', text, exitCode: 2 });
  });
});
