import { useTranslation } from 'react-i18next';
import { auditFieldText } from '../../../../shared/i18n/auditFieldText.ts';
import { knownCode } from '../../../../shared/i18n/errorText.ts';
import type { PartFault } from '../../../../shared/protocol/api/system/backupParts.ts';
import type { BackupPart, PartRecordKind, PartsFault } from '../../../../shared/protocol/backup/partWords.ts';
import { fieldText } from '../../../../shared/ui/form/text/fieldText.ts';

export interface PartTexts {
  readonly parts: Readonly<Record<BackupPart, string>>;
  readonly records: Readonly<Record<PartRecordKind, string>>;
  readonly archiveFault: (fault: PartsFault) => string;
  readonly field: (field: string) => string;
  /** Why a row is rejected. */
  readonly fault: (fault: PartFault) => string;
  /** Why a row failed. */
  readonly result: (code: string) => string;
}

export function usePartTexts(): PartTexts {
  // The names of fields are loaded with the dialog: the page itself says none.
  const { t } = useTranslation(['BackupParts', 'AuditWords']);
  const archiveFaults: Partial<Record<PartsFault, string>> = {
    canceled: t('It was canceled.'),
    'file-missing': t('The file is no longer in its folder.'),
    'wrong-key': t("The passphrase or recovery key doesn't match."),
    'key-needed': t('Enter the passphrase or recovery key of this backup.'),
    'disk-full': t('The disk is full.'),
    'too-many-rows': t('The parts have too many records. Select fewer parts.'),
  };
  const codes: Readonly<Record<string, string>> = {
    'other-group': t('It belongs to another member group. Sign in to that group to import it.'),
    repeated: t('The backup has two of this name.'),
    ambiguous: t('There are two of this name already.'),
    conflict: t('Another user has changed it since the preview.'),
  };
  const codeText = (code: string): string => codes[code] ?? knownCode(code) ?? fieldText(code);
  return {
    parts: {
      devices: t('Devices and device groups'),
      members: t('Members, member groups, and roles'),
      fences: t('Geofences of your member group'),
      events: t('Event types, closing reasons, and event settings'),
      templates: t('Message templates'),
      senders: t('Senders, without their secrets'),
    },
    records: {
      'device-group': t('Device group'),
      device: t('Device'),
      role: t('Role'),
      'member-group': t('Member group'),
      member: t('Member'),
      fence: t('Geofence'),
      'event-type': t('Event type'),
      'event-reason': t('Closing reason'),
      'event-rule': t('Event setting'),
      template: t('Template'),
      sender: t('Sender'),
    },
    archiveFault: (fault) => archiveFaults[fault] ?? t("The backup can't be read."),
    field: auditFieldText,
    fault: ({ field, code, value }) =>
      [auditFieldText(field), value, codeText(code)].filter((text) => text !== '').join(': '),
    result: codeText,
  };
}
