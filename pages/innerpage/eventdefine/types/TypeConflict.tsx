import { useTranslation } from 'react-i18next';
import { readRecord } from '../../../../shared/api/readRecord.ts';
import { categoryText, severityText } from '../../../../shared/i18n/eventWordText.ts';
import { listText } from '../../../../shared/i18n/listText.ts';
import { EventTypeRecord } from '../../../../shared/protocol/api/eventTypes.ts';
import { ConflictDialog, type ConflictField } from '../../../../shared/ui/form/ConflictDialog.tsx';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { useColorName } from '../look/ColorInput.tsx';
import { useIconName, useSoundName } from '../names.ts';
import { useFormName, useKindName } from './SourceFields.tsx';
import { draftOfType, type TypeDraft } from './typeForm.ts';

export interface TypeConflictProps {
  readonly form: Form<TypeDraft>;
  readonly isBuiltIn: boolean;
  readonly onVersion: (version: number) => void;
}

/** Another administrator has saved the type first. */
export function TypeConflict({ form, isBuiltIn, onVersion }: TypeConflictProps) {
  const fields = [...useCommonFields(), ...useSourceFields(isBuiltIn)];
  if (form.conflict === undefined) return null;
  const theirs = readRecord(EventTypeRecord, form.conflict);
  return (
    <ConflictDialog
      versions={{ base: form.base, mine: form.values, theirs: draftOfType(theirs) }}
      fields={fields}
      onChoose={(values) => {
        onVersion(theirs.version);
        form.rebase(draftOfType(theirs), values);
      }}
      onClose={form.dismissConflict}
    />
  );
}

function useCommonFields(): readonly ConflictField<TypeDraft>[] {
  const { t } = useTranslation('EventDefine');
  const [soundName, iconName, colorName] = [useSoundName(), useIconName(), useColorName()];
  const onOff = (isOn: boolean) => (isOn ? t('On') : t('Off'));
  return [
    { name: 'enabled', label: t('Status'), show: ({ enabled }) => onOff(enabled) },
    { name: 'nameEn', label: t('Name (English)'), show: ({ nameEn }) => nameEn },
    { name: 'nameZh', label: t('Name (Chinese)'), show: ({ nameZh }) => nameZh },
    { name: 'nameJp', label: t('Name (Japanese)'), show: ({ nameJp }) => nameJp },
    { name: 'category', label: t('Category'), show: ({ category }) => categoryText(category) },
    { name: 'severity', label: t('Severity'), show: ({ severity }) => severityText(severity) },
    { name: 'sound', label: t('Sound'), show: ({ sound }) => soundName(sound) },
    { name: 'color', label: t('Color'), show: ({ color }) => colorName(color) },
    { name: 'icon', label: t('Icon'), show: ({ icon }) => iconName(icon) },
    {
      name: 'needsAcknowledgment',
      label: t('Needs acknowledgment'),
      show: ({ needsAcknowledgment }) => onOff(needsAcknowledgment),
    },
    {
      name: 'clipBeforeS',
      label: t('Clip before the event (s)'),
      show: ({ clipBeforeS }) => String(clipBeforeS ?? ''),
    },
    { name: 'clipAfterS', label: t('Clip after the event (s)'), show: ({ clipAfterS }) => String(clipAfterS ?? '') },
    {
      name: 'snapshotChannels',
      label: t('Snapshot channels'),
      show: ({ snapshotChannels }) => listText(snapshotChannels.map((channel) => `ch ${channel}`)),
    },
  ];
}

function useSourceFields(isBuiltIn: boolean): readonly ConflictField<TypeDraft>[] {
  const { t } = useTranslation('EventDefine');
  const [kindName, formName] = [useKindName(), useFormName()];
  if (isBuiltIn) return [];
  return [
    { name: 'sourceKind', label: t('Terminal report'), show: ({ sourceKind }) => kindName(sourceKind) },
    { name: 'sourceId', label: t('Item ID'), show: ({ sourceId }) => sourceId },
    { name: 'form', label: t('Duration'), show: ({ form }) => formName(form) },
    {
      name: 'hasMatch',
      label: t('Only with a certain value'),
      show: ({ hasMatch }) => (hasMatch ? t('On') : t('Off')),
    },
    { name: 'offset', label: t('Offset'), show: ({ offset }) => String(offset ?? '') },
    { name: 'width', label: t('Bytes'), show: ({ width }) => width },
    { name: 'mask', label: t('Mask'), show: ({ mask }) => mask },
    { name: 'value', label: t('Value'), show: ({ value }) => value },
  ];
}
