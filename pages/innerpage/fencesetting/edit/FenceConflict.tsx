import { useTranslation } from 'react-i18next';
import { readFence } from '../../../../shared/api/fences.ts';
import type { Fence } from '../../../../shared/protocol/api/fences/fences.ts';
import { formatTimestamp } from '../../../../shared/time/format.ts';
import { useUserZone } from '../../../../shared/time/userZone.ts';
import { ConflictDialog, type ConflictField } from '../../../../shared/ui/form/ConflictDialog.tsx';
import type { DeviceChoices } from '../../../../shared/ui/form/deviceChoices.ts';
import { labelsOf } from '../../../../shared/ui/form/selectedOptions.ts';
import type { Form } from '../../../../shared/ui/form/useForm.ts';
import { useScheduleText } from '../../../../shared/ui/schedule/scheduleText.ts';
import { useKindText, useRulesText } from '../fenceTexts.ts';
import { draftOfFence, type FenceDraft, rulesOfDraft } from './fenceForm.ts';

export interface FenceConflictProps {
  readonly form: Form<FenceDraft>;
  readonly choices: DeviceChoices;
  /** The fence as it is by now. */
  readonly onFence: (fence: Fence) => void;
}

/** Another member has saved the fence first. */
export function FenceConflict({ form, choices, onFence }: FenceConflictProps) {
  const fields = useConflictFields(choices);
  if (form.conflict === undefined) return null;
  const fence = readFence(form.conflict);
  const theirs = draftOfFence(fence);
  return (
    <ConflictDialog<FenceDraft>
      versions={{ base: form.base, mine: form.values, theirs }}
      fields={fields}
      onChoose={(values) => {
        onFence(fence);
        form.rebase(theirs, values);
      }}
      onClose={form.dismissConflict}
    />
  );
}

function useConflictFields(choices: DeviceChoices): readonly ConflictField<FenceDraft>[] {
  const { t } = useTranslation('FenceSetting');
  const zone = useUserZone();
  const scheduleText = useScheduleText();
  const shapeText = useShapeText();
  const rulesText = useRulesText();
  const moment = (value: number | null) => (value === null ? '' : formatTimestamp(value, zone));
  return [
    { name: 'name', label: t('Name'), show: ({ name }) => name },
    { name: 'enabled', label: t('Enabled'), show: ({ enabled }) => (enabled ? t('On') : t('Off')) },
    { name: 'color', label: t('Color'), show: ({ color }) => color },
    { name: 'geometry', label: t('Shape'), show: ({ geometry }) => shapeText(geometry) },
    { name: 'validFromMs', label: t('Valid from'), show: ({ validFromMs }) => moment(validFromMs) },
    { name: 'validToMs', label: t('Valid until'), show: ({ validToMs }) => moment(validToMs) },
    { name: 'schedule', label: t('Hours'), show: ({ schedule }) => scheduleText(schedule) },
    { name: 'timeZone', label: t('Time zone'), show: ({ timeZone }) => timeZone },
    {
      name: 'deviceGroups',
      label: t('Device groups'),
      show: ({ deviceGroups }) => labelsOf(choices.groups, deviceGroups),
    },
    { name: 'devices', label: t('Devices'), show: ({ devices }) => labelsOf(choices.devices, devices) },
    {
      name: 'rules',
      label: t('Events'),
      show: ({ rules, geometry }) => rulesText({ rules: rulesOfDraft(rules, geometry.kind) }),
    },
  ];
}

/** Outlines can't be compared in words; their size tells most of them apart. */
function useShapeText(): (shape: FenceDraft['geometry']) => string {
  const { t } = useTranslation('FenceSetting');
  const kindText = useKindText();
  return ({ kind, positions, radiusMeters, widthMeters }) => {
    const [[lng, lat] = [0, 0]] = positions;
    const place = `${lat.toFixed(5)}, ${lng.toFixed(5)}`;
    switch (kind) {
      case 'circle':
        return t('{{kind}}, {{meters}} m around {{place}}', { kind: kindText(kind), meters: radiusMeters ?? 0, place });
      case 'corridor':
        return t('{{kind}}, vertices: {{count}}, width: {{meters}} m, from {{place}}', {
          kind: kindText(kind),
          count: positions.length,
          meters: widthMeters ?? 0,
          place,
        });
      case 'polygon':
      case 'rectangle':
        return t('{{kind}}, vertices: {{count}}, from {{place}}', {
          kind: kindText(kind),
          count: kind === 'rectangle' ? 4 : positions.length,
          place,
        });
    }
  };
}
