import i18next from 'i18next';
import { useTranslation } from 'react-i18next';
import { AUDIT_FIELDS, AUDIT_VALUES, auditValueKey } from '../../../../shared/protocol/api/auditWords.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { usePermissionName } from '../roles/permissionNames.ts';
import type { FieldWords } from './changeRows.ts';

export function useFieldWords(): FieldWords {
  const { t } = useTranslation('Audit');
  const zone = useUserZone();
  const permissionName = usePermissionName();
  return {
    fieldName,
    value: (field, text) => (field === 'permissions' ? permissionName(text) : valueName(field, text)),
    moment: (atMs) => formatTimestamp(atMs, zone),
    yes: t('Yes'),
    no: t('No'),
  };
}

/** In the user's language; a field as it is when nobody has said what it is called. */
function fieldName(field: string): string {
  return AUDIT_FIELDS.some((each) => each === field) ? i18next.t(field, { ns: 'AuditWords' }) : field;
}

function valueName(field: string, text: string): string {
  const isNamed = Object.hasOwn(AUDIT_VALUES, field) && AUDIT_VALUES[field]?.includes(text) === true;
  return isNamed ? i18next.t(auditValueKey(field, text), { ns: 'AuditWords' }) : text;
}
