import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { EVENT_ICONS, type EventIcon as IconName } from '../../../../shared/protocol/api/eventTypes.ts';
import type { Severity } from '../../../../shared/protocol/events/eventWords.ts';
import { EventIcon } from '../../../../shared/ui/events/EventIcon.tsx';
import type { Field } from '../../../../shared/ui/form/useForm.ts';
import { useIconName } from '../names.ts';
import { SwatchGroup } from './SwatchGroup.tsx';

export interface IconInputProps {
  readonly field: Field<IconName>;
  /** The icons are shown as the type will be. */
  readonly color: string;
  readonly severity: Severity;
}

export function IconInput({ field, color, severity }: IconInputProps) {
  const { t } = useTranslation('EventDefine');
  const iconName = useIconName();
  const swatches = useMemo(
    () =>
      EVENT_ICONS.map((icon) => ({
        value: icon,
        label: iconName(icon),
        drawing: <EventIcon type={{ icon, color, severity }} fontSize="medium" />,
      })),
    [iconName, color, severity],
  );
  return <SwatchGroup field={field} label={t('Icon')} swatches={swatches} />;
}
