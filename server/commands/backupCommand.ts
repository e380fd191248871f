export interface BackupCommand {
  readonly kind: 'backup' | 'restore' | 'verify';
  readonly file: string;
}
