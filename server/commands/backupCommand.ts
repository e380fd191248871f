import { DEFAULT_CHOICES, type RestoreChoices } from '../backup/restore/restoreChoices.ts';
import { readArguments } from './readArguments.ts';

export type BackupCommand = FileCommand | RestoreCommand;

interface FileCommand {
  readonly kind: 'backup' | 'verify';
  readonly file: string;
}

export interface RestoreCommand {
  readonly kind: 'restore';
  readonly file: string;
  /** Only says what would be done. */
  readonly isDryRun: boolean;
  /** Makes a backup of the present state before it is replaced. */
  readonly makesBackup: boolean;
  readonly choices: RestoreChoices;
}

export const RESTORE_USAGE = 'restore FILE [--dry-run] [--without-backup] [--discard LIST]';

export type RestoreRead =
  | { readonly ok: true; readonly command: RestoreCommand }
  | { readonly ok: false; readonly reason: string };

const CHOICES = Object.keys(DEFAULT_CHOICES) as readonly (keyof RestoreChoices)[];

/** Reads the words after `restore`. */
export function readRestore(args: readonly string[]): RestoreRead {
  const options = {
    'dry-run': { type: 'boolean' },
    'without-backup': { type: 'boolean' },
    discard: { type: 'string' },
  } as const;
  const result = readArguments({ args: [...args], options, allowPositionals: true });
  if (!result.ok) return result;
  const { values, positionals } = result.read;
  const [file, ...rest] = positionals;
  if (file === undefined || rest.length > 0) return { ok: false, reason: 'restore takes one file.' };
  const discarded = values.discard === undefined ? [] : values.discard.split(',');
  if (!discarded.every((word) => CHOICES.some((choice) => choice === word))) {
    return { ok: false, reason: `--discard takes a list of ${CHOICES.join(', ')}, with commas.` };
  }
  const choices = Object.fromEntries(CHOICES.map((choice) => [choice, !discarded.includes(choice)]));
  const command = {
    kind: 'restore',
    file,
    isDryRun: values['dry-run'] === true,
    makesBackup: values['without-backup'] !== true,
    choices: { ...DEFAULT_CHOICES, ...choices },
  } as const;
  return { ok: true, command };
}
