import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { auditFieldText } from '../../../../shared/i18n/auditFieldText.ts';
import { AUDIT_VALUES, auditValueKey } from '../../../../shared/protocol/api/auditWords.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { usePermissionName } from '../roles/permissionNames.ts';
import type { FieldWords } from './changeRows.ts';

export function useFieldWords(): FieldWords {
  const { t } = useTranslation('Audit');
  const zone = useUserZone();
  const permissionName = usePermissionName();
  return {
    fieldName: auditFieldText,
    value: (field, text) => (field === 'permissions' ? permissionName(text) : valueName(field, text)),
    moment: (atMs) => formatTimestamp(atMs, zone),
    yes: t('Yes'),
    no: t('No'),
  };
}

function valueName(field: string, text: string): string {
  const isNamed = Object.hasOwn(AUDIT_VALUES, field) && AUDIT_VALUES[field]?.includes(text) === true;
  return isNamed ? i18next.t(auditValueKey(field, text), { ns: 'AuditWords' }) : text;
}
